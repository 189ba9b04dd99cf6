import type { ReactNode, Ref } from 'react';
import { FieldNotes, type FieldProps, useField } from './Field.tsx';
import { Icon } from './Icon.tsx';
import './Check.css';

export interface CheckProps extends Omit<FieldProps, 'isOptional'> {
  /** Makes the input controlled, with `onChange`. If undefined, it is uncontrolled and starts from `defaultOn`. */
  isOn?: boolean;
  defaultOn?: boolean;
  onChange?: (isOn: boolean) => void;
  isDisabled?: boolean;
  /** The form value when checked. */
  value?: string;
  ref?: Ref<HTMLInputElement>;
}

function Check({
  role,
  mark,
  isOn,
  defaultOn,
  onChange,
  isDisabled,
  value,
  ref,
  ...field
}: CheckProps & { role?: 'switch'; mark: ReactNode }) {
  const { wiring, error } = useField(field);
  return (
    <div className={role === 'switch' ? 'check check-switch' : 'check'}>
      <label className="check-label">
        <span className="check-box">
          <input
            {...wiring}
            ref={ref}
            type="checkbox"
            role={role}
            className="check-input"
            value={value}
            disabled={isDisabled}
            {...(isOn === undefined ? { defaultChecked: defaultOn } : { checked: isOn })}
            onChange={(event) => onChange?.(event.currentTarget.checked)}
          />
          {mark}
        </span>
        <span className={field.isLabelHidden ? 'only-read' : 'check-text'}>{field.label}</span>
      </label>
      <FieldNotes id={wiring.id} hint={field.hint} error={error} />
    </div>
  );
}

/** A checkbox, followed by its label. */
export const Checkbox = (props: CheckProps) => <Check {...props} mark={<Icon name="check" size={14} />} />;

/** A switch after its label. Changes take effect immediately. */
export const Switch = (props: CheckProps) => (
  <Check {...props} role="switch" mark={<span className="check-thumb" />} />
);
