import { texts } from '../texts.ts';

/** What roles allow, by the names of the specification. */
export const permissions = texts({
  canAdmin: {
    name: 'Administrator',
    allows:
      'Everything below, roles, and every private channel. Give it to people you would hand the server to.',
  },
  canEditServer: {
    name: 'Manage the server',
    allows: 'Change its name, picture, welcome, channels and own apps.',
  },
  canEditChannel: {
    name: 'Manage channels',
    allows: 'Create, change and delete channels and own apps; pin messages.',
  },
  canEditData: {
    name: 'Take part',
    allows: 'Send messages, start threads, react, and make invites.',
  },
  canModerate: {
    name: 'Moderate',
    allows:
      'Remove, edit and pin messages of others, kick and ban, lock threads, and write in read-only channels.',
  },
  canEditApp: {
    name: 'Manage programs',
    allows: 'API keys, webhooks, flows, and which apps are installed.',
  },
  canViewData: {
    name: 'See programs',
    allows: 'See the installed apps with their settings, and the flows.',
  },
});

/** What the server says where it refuses something. It speaks English: here is only what it says to programs. */
export const refusals = texts({
  /** The name of a permission. */
  quoted: '“{name}”',
  /** By the server's words, with `{}` for each part that differs: `{0}` is the first. */
  words: {
    'your roles lack {}, and nobody can give what they do not have':
      'Your roles lack {0}, and nobody can give what they do not have.',
    'your roles lack {}': 'This needs a role with {0}.',
    'username: can be changed once a day': 'You can change your username once a day.',
    'is your password: DELETE /api/people/password': 'This is your password. Remove it there.',
    'prove who you are: POST /api/people/proof with your password or a passkey, then try again':
      'Confirm that it is you, and try again.',
    // Of a file, which has no field to stand at.
    'must be a picture: PNG, JPEG, GIF or WebP': 'Choose a picture: PNG, JPEG, GIF or WebP.',
    'is a picture of {} × {} pixels, and may have {} million':
      'This picture has {0} × {1} pixels. More than {2} million are too many.',
    'must not be empty': 'This must not be empty.',
    'was cut, or the form is not valid': 'The file did not arrive whole. Try again.',
    'took too long to arrive': 'The file took too long to arrive. Try again.',
    'is larger than {} bytes': 'This is larger than {0}.',
    'exportsPerUser: {} copies of your data are under way: {}':
      'You are getting a copy already, perhaps in another window. Wait for its end.',
    'exports: {} copies of data are under way: {}':
      'Several people are getting a copy at this moment. Try again in a minute.',
  },
  /** By the reason of INVALID_REQUEST, where its words are not in the list: `{0}` is the first number in them. */
  reasons: {},
  /** By the code of the error, where nothing else says more. */
  codes: {},
});
