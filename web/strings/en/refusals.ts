import { texts } from '../texts.ts';

/** Descriptions of permissions. */
export const allows = texts({
  canAdmin:
    "Everything below, plus roles and all private channels. Only for people you'd trust with the whole server.",
  canEditServer: "Edit the server's name, images, welcome message, channels and apps.",
  canEditChannel: 'Create, edit and delete channels and apps; pin messages.',
  canEditData: 'Send messages, start threads, react, and create invites.',
  canModerate:
    "Delete, edit and pin other people's messages, kick and ban members, lock threads, and post in read-only channels.",
  canEditApp: 'Manage API keys, webhooks and flows, and choose which apps are installed.',
  canViewData: 'View installed apps with their settings, and flows.',
});

/**
 * Messages for requests that the server rejects. The server's messages are in English, so English only replaces
 * messages that address developers.
 */
export const refusals = texts({
  /** By the server's message, with `{}` for each variable part; `{0}` is the first one. */
  words: {
    'your roles lack {}, which the key or webhook to revoke has':
      "You can't revoke a key or webhook with permissions you don't have. Your roles lack {0}.",
    'your roles lack {}, and you can only grant permissions you have':
      'Your roles lack {0}, and you can only grant permissions you have.',
    'your roles lack {}': 'You need a role with {0}.',
    'this person has an account. Invite them with POST /api/people/invitations':
      'This person has an account, so they have to accept an invitation first.',
    'looks like "{}", an app that you approved earlier':
      'This name looks like “{0}”, an app that you approved earlier, but is spelled differently. Someone may be imitating it.',
    'looks like the name of Palaver itself': 'This app imitates the name of Palaver.',
    'you can change your username once a day': 'You can change your username once a day.',
    'is your password. Remove it with DELETE /api/people/password':
      'This is your password. Remove it in the password settings.',
    'confirm your identity: POST /api/people/proof with your password or a passkey, then try again':
      'Confirm your identity and try again.',
    'there were too many wrong passwords or codes. Sign in from a browser that you have used here before, with a passkey, or with a password reset link':
      'Too many wrong passwords or codes. Sign in from a browser that you have used here before, with a passkey, or with a password reset link.',
    // Used for files, which have no form field that could show the message.
    'must be an image: PNG, JPEG, GIF or WebP': 'Choose an image: PNG, JPEG, GIF or WebP.',
    'has {} × {} pixels. The limit is {} million pixels':
      'This image has {0} × {1} pixels. The limit is {2} million pixels.',
    'must not be empty': "This can't be empty.",
    'was cut off, or the form is not valid': 'The upload was incomplete. Try again.',
    'took too long to arrive': 'The upload took too long. Try again.',
    'is larger than {} bytes': 'This is too large. The limit is {0}.',
    'exportsPerUser: {} exports of your data are in progress: {}':
      'An export is already running, perhaps in another window. Wait for it to finish.',
    'an export of your data is in progress': 'An export is already running. Wait for it to finish.',
    'you can start {} exports of your data per day':
      'You can start {0} exports of your data per day. Try again tomorrow.',
    'exports: {} data exports are in progress: {}': 'Too many exports are running. Try again in a minute.',
  },
  /**
   * Keyed by the reason of INVALID_REQUEST, and used if `words` has no entry for the message. `{0}` is the
   * first number in the message.
   */
  reasons: {},
  /** Keyed by the error code, and used if neither `words` nor `reasons` has an entry. */
  codes: {},
});
