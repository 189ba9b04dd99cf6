import { plural } from '../format.ts';

/** The texts of the components themselves. */
export const ui = {
  close: 'Close',
  cancel: 'Cancel',
  save: 'Save',
  confirm: 'Confirm',
  dismiss: 'Dismiss',
  copy: 'Copy',
  copied: 'Copied',
  copyFailed: 'Your browser does not let this page copy. Select the text, and copy it yourself.',
  loading: 'Loading…',
  notifications: 'Notifications',
  optional: 'optional',
  showPassword: 'Show password',
  hidePassword: 'Hide password',
  actions: 'Actions',
  agent: 'Agent',
  presence: {
    online: 'Online',
    idle: 'Idle',
    dnd: 'Do not disturb',
    offline: 'Offline',
  },
  typeToConfirm: (text: string) => `Type ${text} to confirm`,
  typeExactly: (text: string) => `Type exactly: ${text}`,
  left: (count: number) => plural(count, { one: '# character left', other: '# characters left' }),
  over: (count: number) => plural(count, { one: '# character too many', other: '# characters too many' }),
  errors: {
    missing: 'Fill in this field.',
    tooShort: (least: number) =>
      plural(least, { one: 'Use at least # character.', other: 'Use at least # characters.' }),
    tooLong: (most: number) =>
      plural(most, { one: 'Use at most # character.', other: 'Use at most # characters.' }),
    tooSmall: (least: string) => `The least is ${least}.`,
    tooLarge: (most: string) => `The most is ${most}.`,
    email: 'Enter an address such as name@example.org.',
    url: 'Enter an address that begins with https://',
    form: 'This does not have the right form.',
    noAnswer: 'The server did not answer. Check your connection, and try again.',
    tooOften: (seconds: number) =>
      plural(seconds, {
        one: 'That was too often. Try again in # second.',
        other: 'That was too often. Try again in # seconds.',
      }),
    unexpected: 'That did not work. Try again.',
    page: 'This part of the page has failed.',
    newVersion: 'There is a newer version of this page.',
    reload: 'Reload',
    again: 'Try again',
  },
};
