import { list, plural } from '../format.ts';

/** The texts of the field in which messages are written. */
export const composer = {
  message: (channel: string) => `Message ${channel}`,
  reply: 'Write in this thread',
  /** Beside files: their names are sent if there are no words. */
  aboutFiles: 'Say something, or send it',
  send: 'Send',
  attach: 'Add files',
  emoji: 'Emoji',
  agent: 'Agent',
  completions: { '@': 'People', '#': 'Channels', ':': 'Emoji' },
  found: (count: number) => plural(count, { one: '# suggestion', other: '# suggestions' }),
  replying: (name: string) => `Replying to ${name}`,
  somebody: 'somebody',
  answeredGone: 'The message was deleted',
  stopReply: 'Do not reply',
  left: (count: number) => plural(count, { one: '# character left', other: '# characters left' }),
  over: (count: number) => plural(count, { one: '# character too many', other: '# characters too many' }),
  held: 'Your message goes out as soon as the files are uploaded.',
  stopHold: 'Stop',
  notUploaded: 'Not sent: a file could not be uploaded. Try it again, or remove it.',
  slow: (seconds: number) =>
    plural(seconds, {
      one: 'You are faster than this server allows. Your next messages go out in about # second.',
      other: 'You are faster than this server allows. Your next messages go out in about # seconds.',
    }),
  tooMany: (count: number) =>
    plural(count, { one: 'A message takes up to # file.', other: 'A message takes up to # files.' }),
  noFolders: 'Folders cannot be sent. Choose the files in them.',
  locked: 'This thread is locked',
  lockedMore: 'Only moderators write in it.',
  readonly: 'This channel is read-only',
  readonlyMore: 'Only moderators write in it.',
  mayNot: 'You may not write here',
  mayNotMore: 'Your roles do not allow it.',
  mayNotNeed: (flags: readonly string[]) => `It takes a role with ${list(flags)}.`,
};
