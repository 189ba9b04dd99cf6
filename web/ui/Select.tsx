import type { Ref, SelectHTMLAttributes } from 'react';
import { Field, type FieldProps } from './Field.tsx';
import { Icon } from './Icon.tsx';
import './Select.css';

export interface Option<Value extends string = string> {
  value: Value;
  label: string;
  /** The language of the label, if it differs from the page's. */
  lang?: string;
  isDisabled?: boolean;
}

type Native = Omit<
  SelectHTMLAttributes<HTMLSelectElement>,
  'name' | 'id' | 'className' | 'children' | 'value' | 'defaultValue' | 'multiple'
>;

export interface SelectProps<Value extends string> extends FieldProps, Native {
  options: readonly Option<Value>[];
  value?: Value;
  defaultValue?: Value;
  onValue?: (value: Value) => void;
  ref?: Ref<HTMLSelectElement>;
}

/** Uses a native select, because it works with every keyboard, screen reader and phone. */
export function Select<Value extends string>({
  label,
  name,
  hint,
  error,
  isOptional,
  isLabelHidden,
  options,
  value,
  defaultValue,
  onValue,
  ...native
}: SelectProps<Value>) {
  return (
    <Field {...{ label, name, hint, error, isOptional, isLabelHidden }}>
      {(wiring) => (
        <span className="select">
          <select
            {...native}
            {...wiring}
            {...(value === undefined ? { defaultValue } : { value })}
            className="control select-control"
            onChange={(event) => onValue?.(event.currentTarget.value as Value)}
          >
            {options.map((option) => (
              <option
                key={option.value}
                value={option.value}
                lang={option.lang}
                disabled={option.isDisabled}
                selected={value === undefined ? option.value === defaultValue : undefined}
              >
                {option.label}
              </option>
            ))}
          </select>
          <Icon name="chevrons-up-down" size={16} />
        </span>
      )}
    </Field>
  );
}
