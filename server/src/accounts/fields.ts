import { cleanName } from '../lib/names.ts';
import { Type } from '../lib/schema.ts';
import { nullable, text } from '../operations/fields.ts';
import { MAX_PASSWORD_CHARACTERS, MIN_PASSWORD_CHARACTERS } from './password.ts';

/**
 * A password to check. Any text is valid, because people whose passwords predate the current rules must still
 * be able to sign in.
 */
export const password = Type.String({
  maxLength: MAX_PASSWORD_CHARACTERS,
  examples: ['correct horse battery staple'],
});

/** A new password. */
export const newPassword = Type.String({
  minLength: MIN_PASSWORD_CHARACTERS,
  maxLength: MAX_PASSWORD_CHARACTERS,
  description: 'Must not be a common password or your name',
  examples: ['correct horse battery staple'],
});

const MAX_DEVICE_CHARACTERS = 300;

/** A browser or app, as shown in records. */
export const device = nullable(
  text({
    max: MAX_DEVICE_CHARACTERS,
    description: 'The `User-Agent` of the browser, or the name of the app and its device',
    examples: ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'],
  }),
);

/** Returns the name of a browser or app for storage; null if it has none. */
export const deviceOf = (given: string | null | undefined): string | null =>
  cleanName(given ?? '', MAX_DEVICE_CHARACTERS) || null;
