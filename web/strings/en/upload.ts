import { plural } from '../format.ts';

/** The texts of files that are to be sent. */
export const upload = {
  list: 'Files to be sent',
  waiting: 'Waiting',
  checking: 'Almost there…',
  progress: (name: string) => `Upload of ${name}`,
  again: (name: string) => `Upload ${name} again`,
  cancel: (name: string) => `Cancel the upload of ${name}`,
  remove: (name: string) => `Remove ${name}`,
  dropHere: (name: string) => `Drop files here to send them to ${name}`,
  most: (count: number) => plural(count, { one: 'Up to # file a message', other: 'Up to # files a message' }),
};
