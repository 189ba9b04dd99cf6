import { texts } from '../texts.ts';

/** What roles allow, by the names of the specification. */
export const permissions = texts({
  canAdmin: {
    name: 'Administrator',
    allows:
      "Everything below, plus roles and all private channels. Only for people you'd trust with the whole server.",
  },
  canEditServer: {
    name: 'Manage server',
    allows: "Edit the server's name, images, welcome message, channels and apps.",
  },
  canEditChannel: {
    name: 'Manage channels',
    allows: 'Create, edit and delete channels and apps; pin messages.',
  },
  canEditData: {
    name: 'Participate',
    allows: 'Send messages, start threads, react, and create invites.',
  },
  canModerate: {
    name: 'Moderate',
    allows:
      "Delete, edit and pin other people's messages, kick and ban members, lock threads, and post in read-only channels.",
  },
  canEditApp: {
    name: 'Manage integrations',
    allows: 'Manage API keys, webhooks and flows, and choose which apps are installed.',
  },
  canViewData: {
    name: 'View integrations',
    allows: 'View installed apps with their settings, and flows.',
  },
});

/** What the server says where it refuses something. It speaks English: here is only what it says to programs. */
export const refusals = texts({
  /** The name of a permission. */
  quoted: '“{name}”',
  /** By the server's words, with `{}` for each part that differs: `{0}` is the first. */
  words: {
    'your roles lack {}, and nobody can give what they do not have':
      'Your roles lack {0}, and you can only grant permissions you have.',
    'your roles lack {}': 'You need a role with {0}.',
    'username: can be changed once a day': 'You can change your username once a day.',
    'is your password: DELETE /api/people/password':
      'This is your password. Remove it in the password settings.',
    'prove who you are: POST /api/people/proof with your password or a passkey, then try again':
      'Confirm your identity and try again.',
    // Of a file, which has no field to stand at.
    'must be a picture: PNG, JPEG, GIF or WebP': 'Choose an image: PNG, JPEG, GIF or WebP.',
    'is a picture of {} × {} pixels, and may have {} million':
      'This image has {0} × {1} pixels. The limit is {2} million pixels.',
    'must not be empty': "This can't be empty.",
    'was cut, or the form is not valid': 'The upload was incomplete. Try again.',
    'took too long to arrive': 'The upload took too long. Try again.',
    'is larger than {} bytes': 'This is larger than {0}.',
    'exportsPerUser: {} copies of your data are under way: {}':
      'An export is already running, perhaps in another window. Wait for it to finish.',
    'exports: {} copies of data are under way: {}': 'Too many exports are running. Try again in a minute.',
  },
  /** By the reason of INVALID_REQUEST, where its words are not in the list: `{0}` is the first number in them. */
  reasons: {},
  /** By the code of the error, where nothing else says more. */
  codes: {},
});
