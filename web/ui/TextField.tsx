import { type InputHTMLAttributes, type ReactNode, type Ref, useState } from 'react';
import { ui as t } from '../strings/en/common.ts';
import { IconButton } from './Button.tsx';
import { Field, type FieldProps } from './Field.tsx';
import { Icon } from './Icon.tsx';
import type { IconName } from './icons.ts';
import './TextField.css';

type Native = Omit<InputHTMLAttributes<HTMLInputElement>, 'name' | 'id' | 'className' | 'children' | 'size'>;

export interface TextFieldProps extends FieldProps, Native {
  /** The error message if `pattern` does not match. */
  'data-wrong'?: string;
  /** Called with the text on every change. */
  onText?: (text: string) => void;
  /** An icon before the text. */
  icon?: IconName;
  /** Content after the text, such as a unit or an IconButton. */
  after?: ReactNode;
  ref?: Ref<HTMLInputElement>;
}

/** A single-line text field. `type="password"` can be revealed; `type="search"` has a magnifier. */
export function TextField({
  label,
  name,
  hint,
  error,
  isOptional,
  isLabelHidden,
  onText,
  icon,
  after,
  type = 'text',
  ...native
}: TextFieldProps) {
  const [isShown, setShown] = useState(false);
  const isPassword = type === 'password';
  const picture = icon ?? (type === 'search' ? 'search' : undefined);
  return (
    <Field {...{ label, name, hint, error, isOptional, isLabelHidden }}>
      {(wiring) => (
        <span className="control text-field">
          {picture && <Icon name={picture} />}
          <input
            autoComplete="off"
            {...native}
            {...wiring}
            type={isPassword && isShown ? 'text' : type}
            className="text-field-input"
            onInput={(event) => onText?.(event.currentTarget.value)}
          />
          {after}
          {isPassword && (
            <IconButton
              size="small"
              icon={isShown ? 'eye-off' : 'eye'}
              label={isShown ? t.hidePassword : t.showPassword}
              onClick={() => setShown(!isShown)}
            />
          )}
        </span>
      )}
    </Field>
  );
}
