import { Type } from '../lib/schema.ts';
import { MAX_PASSWORD_CHARACTERS, MIN_PASSWORD_CHARACTERS } from './password.ts';

/**
 * A password to check. Any text is valid: people with passwords from before the current rules must not be
 * locked out.
 */
export const password = Type.String({
  maxLength: MAX_PASSWORD_CHARACTERS,
  examples: ['correct horse battery staple'],
});

/** A new password. */
export const newPassword = Type.String({
  minLength: MIN_PASSWORD_CHARACTERS,
  maxLength: MAX_PASSWORD_CHARACTERS,
  description: 'Not a common password, and not your name',
  examples: ['correct horse battery staple'],
});
