import { retentionField as t } from '../../strings/en/common.ts';
import { TextField, type Values } from '../../ui/index.ts';

const MAX_DAYS = 36_500;

interface RetentionFieldProps {
  defaultValue: number | null;
  /** Explains what happens if the field is empty. */
  hint: string;
  disabled?: boolean;
}

/** The number of days after which messages are deleted. */
export const RetentionField = ({ defaultValue, hint, disabled }: RetentionFieldProps) => (
  <TextField
    name="retentionDays"
    type="number"
    min={1}
    max={MAX_DAYS}
    label={t.label}
    hint={hint}
    defaultValue={defaultValue ?? ''}
    isOptional
    disabled={disabled}
  />
);

/** Reads the field from a form; null if it is empty. */
export function retentionIn(values: Values): number | null {
  const days = values.optional('retentionDays');
  return days === undefined ? null : Number(days);
}
