import { overviewSettings as t } from '../../../strings/en/serverSettings.ts';
import { Button, Field } from '../../../ui/index.ts';
import './overview.css';

interface TintProps {
  /** 0xRRGGBB; null for none. */
  value: number | null;
  onValue: (value: number | null) => void;
  isDisabled: boolean;
}

const hexOf = (value: number): string => `#${value.toString(16).padStart(6, '0')}`;

/** The colour of a server. */
export const Tint = ({ value, onValue, isDisabled }: TintProps) => (
  <Field label={t.tint} hint={t.tintHint} name="tint">
    {(wiring) => (
      <span className="setting-tint">
        <input
          {...wiring}
          type="color"
          className="setting-tint-input"
          value={hexOf(value ?? 0x0b6b60)}
          disabled={isDisabled}
          onInput={(event) => onValue(Number.parseInt(event.currentTarget.value.slice(1), 16))}
        />
        <span className="setting-tint-value">{value === null ? t.noTint : hexOf(value)}</span>
        {value !== null && !isDisabled && (
          <Button size="small" kind="quiet" onClick={() => onValue(null)}>
            {t.takeTint}
          </Button>
        )}
      </span>
    )}
  </Field>
);
