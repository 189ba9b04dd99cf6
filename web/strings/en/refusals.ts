import { bytes } from '../format.ts';

/** A line, or one that is made of parts of the server's words. */
type Line = string | ((...parts: string[]) => string);

/** What the server says where it refuses something. */
export interface Refusals {
  /** The names of permissions, any one of which is enough. */
  names: (names: readonly string[]) => string;
  /** By the server's words, with `{}` for each part that differs; `{}` has the names of permissions in place of their flags. */
  words: Readonly<Record<string, Line>>;
  /** By the reason of INVALID_REQUEST, where its words are not in the list; with the first number in them. */
  reasons: Readonly<Record<string, Line>>;
  /** By the code of the error, where nothing else says more. */
  codes: Readonly<Record<string, string>>;
}

/** The server speaks English: here is only what it says to programs. */
export const refusals: Refusals = {
  names: (names) => names.map((name) => `“${name}”`).join(' or '),
  words: {
    'your roles lack {}, and nobody can give what they do not have': (names) =>
      `Your roles lack ${names}, and nobody can give what they do not have.`,
    'your roles lack {}': (names) => `This needs a role with ${names}.`,
    'username: can be changed once a day': 'You can change your username once a day.',
    'is your password: DELETE /api/people/password': 'This is your password. Remove it there.',
    'prove who you are: POST /api/people/proof with your password or a passkey, then try again':
      'Confirm that it is you, and try again.',
    // Of a file, which has no field to stand at.
    'must be a picture: PNG, JPEG, GIF or WebP': 'Choose a picture: PNG, JPEG, GIF or WebP.',
    'is a picture of {} × {} pixels, and may have {} million': (width, height, most) =>
      `This picture has ${width} × ${height} pixels. More than ${most} million are too many.`,
    'must not be empty': 'This must not be empty.',
    'was cut, or the form is not valid': 'The file did not arrive whole. Try again.',
    'took too long to arrive': 'The file took too long to arrive. Try again.',
    'is larger than {} bytes': (size) => `This is larger than ${bytes(Number(size))}.`,
    'exportsPerUser: {} copies of your data are under way: {}': () =>
      'You are getting a copy already, perhaps in another window. Wait for its end.',
    'exports: {} copies of data are under way: {}': () =>
      'Several people are getting a copy at this moment. Try again in a minute.',
  },
  reasons: {},
  codes: {},
};
