import { useState } from 'react';
import { session as t } from '../../strings/en/session.ts';
import { TextField } from '../../ui/index.ts';
import { useEntrance } from './entrance.ts';

interface NewPasswordProps {
  /** The name in the form. */
  name?: string;
  label?: string;
  /** Not to be the password: the username, as far as it is typed. */
  not?: string;
  autoFocus?: boolean;
}

/** Until the server has said its own. */
const LEAST = 8;

/** A field for a password that is chosen. It tells while one types what is missing; the server alone knows the common ones. */
export function NewPassword({ name = 'password', label = t.newPassword, not, autoFocus }: NewPasswordProps) {
  const [text, setText] = useState('');
  const { data } = useEntrance();
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
