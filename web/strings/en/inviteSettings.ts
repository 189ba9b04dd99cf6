import { number, plural } from '../format.ts';

/** The settings of a server: its invites. */
export const inviteSettings = {
  title: 'Invites',
  find: 'Find an invite by its link or its maker',
  lead: 'Links by which people join this server.',
  closed: 'You may look at this, but make none.',
  othersClosed: 'Of the invites you may revoke your own.',
  create: 'New invite',
  none: 'No invites yet',
  noneMore: 'Make one, and send its link to the people who shall come.',
  uses: (uses: number) => plural(uses, { zero: 'not used yet', one: 'used once', other: 'used # times' }),
  usesOf: (uses: number, most: number) => `used ${number(uses)} of ${number(most)} times`,
  forever: 'never ends',
  ends: (when: string) => `ends ${when}`,
  ended: (when: string) => `ended ${when}`,
  over: 'Over',
  by: 'by',
  copy: 'Copy the link',
  show: 'Show the link and its code',
  revoke: 'Revoke',
  ask: 'Revoke this invite?',
  askMore: 'Its link lets nobody in any more. Those who have joined with it stay.',
  revoked: 'The invite is revoked.',
};
