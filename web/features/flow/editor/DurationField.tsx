import { useState } from 'react';
import { flowEditor as t } from '../../../strings/en/flowEditor.ts';
import { Select, TextField } from '../../../ui/index.ts';

const units = { seconds: 1, minutes: 60, hours: 3600, days: 86_400 } as const;
type Unit = keyof typeof units;
const names = Object.keys(units) as Unit[];

/** The largest unit that divides a duration evenly. */
const unitOf = (seconds: number): Unit =>
  names.findLast((unit) => seconds > 0 && seconds % units[unit] === 0) ?? 'seconds';

interface DurationFieldProps {
  name: string;
  label: string;
  /** Seconds, or a template. */
  value: unknown;
  onValue: (value: unknown) => void;
  isDisabled?: boolean | undefined;
}

/** A duration in seconds, entered as a number and a unit. */
export function DurationField({ name, label, value, onValue, isDisabled }: DurationFieldProps) {
  const [unit, setUnit] = useState<Unit>(() => (typeof value === 'number' ? unitOf(value) : 'hours'));
  if (typeof value === 'string')
    return <TextField {...{ name, label, value }} disabled={isDisabled} onText={onValue} />;
  const amount = typeof value === 'number' ? value / units[unit] : undefined;
  const put = (count: number | undefined, of: Unit) =>
    onValue(count === undefined ? undefined : Math.round(count * units[of]));
  return (
    <div className="flow-duration">
      <TextField
        {...{ name, label }}
        type="number"
        min={0}
        step="any"
        value={amount ?? ''}
        disabled={isDisabled}
        onText={(text) => put(text === '' ? undefined : Number(text), unit)}
      />
      <Select
        label={t.unit}
        value={unit}
        disabled={isDisabled}
        onValue={(next) => {
          setUnit(next);
          put(amount, next);
        }}
        options={names.map((value) => ({ value, label: t.units[value] }))}
      />
    </div>
  );
}
