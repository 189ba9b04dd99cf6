import { useContext, useState } from 'react';
import { session as t } from '../../strings/en/session.ts';
import { FieldErrors, TextField } from '../../ui/index.ts';
import { useEntrance } from './entrance.ts';

interface NewPasswordProps {
  /** The field's name in the form. */
  name?: string;
  label?: string;
  /** Text that the password must not equal: the username typed so far. */
  not?: string;
  autoFocus?: boolean;
}

/** Used until the server's minimum length has loaded. */
const LEAST = 8;

/**
 * A field for a new password. It validates while the user types, but only the server knows the list of
 * common passwords.
 */
export function NewPassword({ name = 'password', label = t.newPassword, not, autoFocus }: NewPasswordProps) {
  const [text, setText] = useState('');
  const { data } = useEntrance();
  // The server may have rejected a password that is long enough.
  const isRefused = useContext(FieldErrors)[name] !== undefined;
  const least = data?.minPasswordCharacters ?? LEAST;
  const missing = least - text.length;
  const isName = text !== '' && text.toLowerCase() === not?.toLowerCase();
  const hint =
    text === ''
      ? t.strength.rule({ least })
      : missing > 0
        ? t.strength.more({ missing })
        : isName
          ? t.strength.isName
          : isRefused
            ? ''
            : t.strength.enough;
  return (
    <TextField
      label={label}
      name={name}
      type="password"
      autoComplete="new-password"
      autoFocus={autoFocus}
      required
      minLength={least}
      maxLength={data?.maxPasswordCharacters}
      hint={<span role="status">{hint}</span>}
      onText={setText}
    />
  );
}
