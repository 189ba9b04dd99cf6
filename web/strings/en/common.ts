import { texts } from '../texts.ts';

/** Shared by several groups of pages. */
export const common = texts({
  refresh: 'Refresh',
  preview: 'Preview',
  username: 'Username',
  noResults: 'No results',
  notifications: 'Notifications',
  description: 'Description',
  viewOnly: 'You can view this but not edit it.',
  invitePeople: 'Invite people',
  copyLink: 'Copy link',
  app: 'App',
  name: 'Name',
  private: 'Private',
  deleteNamed: 'Delete {name}',
  remove: 'Remove',
  signOut: 'Sign out',
  yourSettings: 'Your settings',
  pins: 'Pinned messages',
  createChannel: 'Create channel',
  createServer: 'Create server',
  servers: 'Servers',
  removeNamed: 'Remove {name}',
  delete: 'Delete',
  agent: 'Agent',
  lookAlike: 'Similar name',
  somebody: 'Someone',
  more: 'Show more',
  back: 'Back',
  tryAgain: 'Try again',
  loading: 'Loading…',
  date: 'Date',
  copied: 'Copied',
  /** A message that has files and no text, on one line. */
  files: '{count, plural, one {File: } other {Files: }}{names, list}',
  download: 'Download',
  save: 'Save',
  cancel: 'Cancel',
  close: 'Close',
});

/** The UI components. */
export const ui = texts({
  dismiss: 'Dismiss',
  copy: 'Copy',
  copyFailed: 'Your browser blocked copying. Select the text and copy it manually.',
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
  over: '{count, plural, one {# character over the limit} other {# characters over the limit}}',
  errors: {
    missing: 'Fill in this field.',
    tooShort: '{least, plural, one {Enter at least # character.} other {Enter at least # characters.}}',
    tooLong: '{most, plural, one {Enter at most # character.} other {Enter at most # characters.}}',
    tooSmall: 'Enter {least} or more.',
    tooLarge: 'Enter {most} or less.',
    email: 'Enter an email address, like name@example.org.',
    url: 'Enter a URL that starts with https://',
    form: "This isn't in the right format.",
    noAnswer: "Couldn't reach the server. Check your connection and try again.",
    proxy: 'A proxy responded instead of the server ({status}). Try again, or ask your admin.',
    proxyTooLarge:
      "The server's proxy rejected the request as too large (413). Ask your admin to raise the upload limit.",
    tooOften:
      '{seconds, plural, one {Too many requests. Try again in # second.} other {Too many requests. Try again in # seconds.}}',
    unexpected: 'Something went wrong. Try again.',
    page: 'This part of the page failed to load.',
    newVersion: 'A new version of this page is available.',
    reload: 'Reload',
  },
});

/** The app as a whole: connection, updates, errors. */
export const app = texts({
  name: 'Palaver',
  unreachable: "Can't reach the server",
  unreachableMore: "Your messages are safe. We'll keep trying to reconnect.",
  missing: 'Page not found',
  missingMore: "It may have been deleted, or you don't have access.",
  home: 'Go to home page',
});

/** Shared by all settings pages. */
export const settings = texts({
  showOf: 'Show more ({shown} of {all} shown)',
  found: '{count, plural, =0 {No results} one {# result} other {# results}}',
  nothingMore: 'Try fewer or shorter search terms.',
  noPicture: "This file isn't a supported image. Choose a PNG, JPEG, GIF or WebP.",
  tooLarge: 'This image is larger than 5 MB. Choose a smaller one.',
});

/** The field for the days after which messages are deleted. */
export const retentionField = texts({ label: 'Delete messages after (days)' });

/** Permissions, by their names in the specification. */
export const permissions = texts({
  canAdmin: 'Administrator',
  canEditServer: 'Manage server',
  canEditChannel: 'Manage channels',
  canEditData: 'Participate',
  canModerate: 'Moderate',
  canEditApp: 'Manage integrations',
  canViewData: 'View integrations',
});

/** A permission's name, as used in a sentence. */
export const sentence = texts({
  permission: '“{name}”',
});
