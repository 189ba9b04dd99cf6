import { session as t } from '../../strings/en/session.ts';
import { TextField } from '../../ui/index.ts';

/** A field for an authenticator code or a recovery code. With `isFirst`, it has the initial focus. */
export const CodeField = ({ hint = t.code.hint, isFirst = true }: { hint?: string; isFirst?: boolean }) => (
  <TextField
    label={t.code.label}
    name="code"
    hint={hint}
    autoComplete="one-time-code"
    autoCapitalize="characters"
    spellCheck={false}
    autoFocus={isFirst}
    required
  />
);
