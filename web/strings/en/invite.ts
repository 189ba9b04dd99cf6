import { plural } from '../format.ts';

/** The texts of inviting people. */
export const invite = {
  title: 'Invite people',
  lead: 'You get a link to send. Whoever opens it signs up or in, and is a member.',
  span: 'The link works for',
  hours: (hours: number) => plural(hours, { one: 'An hour', other: '# hours' }),
  days: (days: number) => plural(days, { one: 'A day', other: '# days' }),
  ever: 'As long as nobody revokes it',
  uses: 'It lets in',
  people: (count: number) => plural(count, { one: 'One person', other: '# people' }),
  anybody: 'Everybody who has it',
  make: 'Make the link',
  share: 'Send this link',
  ready: 'Send it to the people whom you want here, or let a phone scan the code.',
  code: 'QR code of the invite',
  copy: 'Copy the link',
  all: 'All invites of the server',
};
