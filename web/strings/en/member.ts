import { plural } from '../format.ts';

/** The texts of members. */
export const member = {
  profile: 'Profile',
  nobody: 'This user is not here any more.',
  noMember: 'No member of this server any more.',
  agent: 'Agent',
  joined: (on: string) => `Joined: ${on}`,
  roles: 'Roles',
  noRoles: 'No roles',
  give: 'Give a role',
  take: (role: string) => `Take the role ${role}`,
  mention: 'Mention',
  more: 'More about this member',
  copyId: 'Copy user id',
  copied: 'Copied',
  lastAdmin: 'Nobody else would be left to run this server.',
  kick: 'Kick',
  kickAsk: (name: string) => `Kick ${name}?`,
  kickMore:
    'They leave the server at once, and come back only by an invite. Keys and agents that they made here end.',
  ban: 'Ban',
  banAsk: (name: string) => `Ban ${name}?`,
  banMore: 'They leave the server at once, and cannot come back until the ban is lifted.',
  reason: 'Reason',
  reasonHint: 'For the list of bans. Other members do not see it.',
  search: 'Search members',
  /** Headings; there may be more than those that are read yet. */
  groups: {
    here: (count: string) => `Online: ${count}`,
    away: (count: string) => `Offline: ${count}`,
    agents: (count: string) => `Agents: ${count}`,
  },
  found: (count: number) => plural(count, { one: '# member found', other: '# members found' }),
  none: 'Nobody by that name',
  noneMore: 'Names, usernames and nicknames are searched, by the beginnings of their words.',
};
