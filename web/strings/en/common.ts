import { texts } from '../texts.ts';

/** Texts that pages of several parts share. */
export const common = texts({
  description: 'Description',
  viewOnly: 'You may look at this, but not change it.',
  waiting: 'Waiting',
  invitePeople: 'Invite people',
  copyLink: 'Copy link',
  app: 'App',
  name: 'Name',
  remove: 'Remove',
  signOut: 'Sign out',
  yourSettings: 'Your settings',
  pins: 'Pinned messages',
  createChannel: 'Make a channel',
  createServer: 'Make a server',
  servers: 'Servers',
  removeNamed: 'Remove {name}',
  delete: 'Delete',
  agent: 'Agent',
  somebody: 'Somebody',
  more: 'Show more',
  back: 'Back',
  tryAgain: 'Try again',
  loading: 'Loading…',
  copied: 'Copied',
  save: 'Save',
  cancel: 'Cancel',
  close: 'Close',
});

/** The texts of the components themselves. */
export const ui = texts({
  dismiss: 'Dismiss',
  copy: 'Copy',
  copyFailed: 'Your browser does not let this page copy. Select the text, and copy it yourself.',
  notifications: 'Notifications',
  optional: 'optional',
  showPassword: 'Show password',
  hidePassword: 'Hide password',
  presence: {
    online: 'Online',
    idle: 'Idle',
    dnd: 'Do not disturb',
    offline: 'Offline',
  },
  typeToConfirm: 'Type {text} to confirm',
  typeExactly: 'Type exactly: {text}',
  left: '{count, plural, one {# character left} other {# characters left}}',
  over: '{count, plural, one {# character too many} other {# characters too many}}',
  errors: {
    missing: 'Fill in this field.',
    tooShort: '{least, plural, one {Use at least # character.} other {Use at least # characters.}}',
    tooLong: '{most, plural, one {Use at most # character.} other {Use at most # characters.}}',
    tooSmall: 'The least is {least}.',
    tooLarge: 'The most is {most}.',
    email: 'Enter an address such as name@example.org.',
    url: 'Enter an address that begins with https://',
    form: 'This does not have the right form.',
    noAnswer: 'The server did not answer. Check your connection, and try again.',
    tooOften:
      '{seconds, plural, one {That was too often. Try again in # second.} other {That was too often. Try again in # seconds.}}',
    unexpected: 'That did not work. Try again.',
    page: 'This part of the page has failed.',
    newVersion: 'There is a newer version of this page.',
    reload: 'Reload',
  },
});

/** The texts around everything else. */
export const app = texts({
  name: 'Palaver',
  unreachable: 'The server does not answer.',
  unreachableMore: 'Your messages are safe. This page tries again by itself.',
  missing: 'There is nothing at this address',
  missingMore: 'It may have been deleted, or you may not see it.',
  home: 'Go to the start',
});

/** The texts that all pages of settings share. */
export const settings = texts({
  showOf: 'Show more: {shown} of {all} are here',
  found: '{count, plural, =0 {None found} one {# found} other {# found}}',
  nothing: 'Nothing found',
  nothingMore: 'Try fewer words, or parts of them.',
  noPicture: 'This file is no picture that can be shown: choose a PNG, JPEG, GIF or WebP.',
  tooLarge: 'This picture is larger than 5 MB. Choose a smaller one.',
});
