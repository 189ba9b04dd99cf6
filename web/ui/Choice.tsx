import { useId } from 'react';
import { FieldNotes, type FieldProps, useField } from './Field.tsx';
import { Icon } from './Icon.tsx';
import type { IconName } from './icons.ts';
import type { Option } from './Select.tsx';
import './Choice.css';

interface ChoiceProps<Value extends string> extends FieldProps {
  options: readonly (Option<Value> & { icon?: IconName })[];
  value?: Value;
  defaultValue?: Value;
  onValue?: (value: Value) => void;
  isDisabled?: boolean;
}

/** A segmented control for two to five options: radio buttons in one frame. */
export function Choice<Value extends string>({
  options,
  value,
  defaultValue,
  onValue,
  isDisabled,
  ...field
}: ChoiceProps<Value>) {
  const group = useId();
  const { wiring, error } = useField(field);
  return (
    <fieldset className="field" aria-describedby={wiring['aria-describedby']} disabled={isDisabled}>
      <legend className={field.isLabelHidden ? 'only-read' : 'field-label choice-legend'}>
        {field.label}
      </legend>
      <div className="choice">
        {options.map((option) => (
          <label key={option.value} className="small choice-option">
            <input
              type="radio"
              className="choice-input"
              name={field.name ?? group}
              value={option.value}
              disabled={option.isDisabled}
              {...(value === undefined
                ? { defaultChecked: option.value === defaultValue }
                : { checked: option.value === value })}
              onChange={() => onValue?.(option.value)}
            />
            {option.icon && <Icon name={option.icon} size={16} />}
            {option.label}
          </label>
        ))}
      </div>
      <FieldNotes id={wiring.id} hint={field.hint} error={error} />
    </fieldset>
  );
}
