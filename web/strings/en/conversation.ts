import { number, plural } from '../format.ts';

/** The texts around messages. */
export const conversation = {
  label: (channel: string) => `Messages in ${channel}`,
  live: 'New messages',
  loading: 'Loading messages',
  somebody: 'Somebody',
  said: (author: string, text: string) => `${author}: ${text}`,
  saidMany: (count: number) => plural(count, { one: '# new message', other: '# new messages' }),
  unreadable: 'These messages cannot be read now',
  tryAgain: 'Try again',
  change: 'Change it',
  discard: 'Discard',
  toPresent: 'Latest messages',
  toNew: (count: number) =>
    count > 99
      ? `${number(99)}+ new messages`
      : plural(count, { one: '# new message', other: '# new messages' }),
  fresh: 'New',
  toDate: (day: string) => `${day}: go to another date`,
  pickDate: 'Go to a date',
  monthBefore: 'Month before',
  monthAfter: 'Month after',
  gone: 'That message is not there any more',
  beginning: (channel: string) => `This is where ${channel} begins`,
  beginningMore: 'Nobody has written here yet.',
  withFiles: (count: number) => plural(count, { one: 'with a file', other: 'with # files' }),
  refused: (why: string) => `Not sent: ${why}`,
  states: {
    waiting: 'Waiting to be sent',
    sending: 'Sending…',
    sent: 'Sent',
    retrying: 'No connection. It is sent as soon as there is one.',
    old: 'Not sent. It was written a while ago: is it still meant to go out?',
  },
};
