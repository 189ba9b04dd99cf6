import { Type } from '../lib/schema.ts';
import { MAX_PASSWORD_CHARACTERS, MIN_PASSWORD_CHARACTERS } from './password.ts';

/** A password that is compared: any text, so that an older rule never locks anybody out. */
export const password = Type.String({
  maxLength: MAX_PASSWORD_CHARACTERS,
  examples: ['correct horse battery staple'],
});

/** A password that is chosen. */
export const newPassword = Type.String({
  minLength: MIN_PASSWORD_CHARACTERS,
  maxLength: MAX_PASSWORD_CHARACTERS,
  description: 'None of the most common ones, nor your name',
  examples: ['correct horse battery staple'],
});
