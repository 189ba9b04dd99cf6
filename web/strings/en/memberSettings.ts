import { plural } from '../format.ts';

/** The settings of a server: its members. */
export const memberSettings = {
  title: 'Members',
  lead: (count: number) =>
    plural(count, { one: '# member, people and agents.', other: '# members, people and agents.' }),
  closed: 'You may look at this, but neither kick nor ban.',
  rolesClosed: 'You may give no roles, and take none away.',
  find: 'Find a member',
  findRole: 'Find a role',
  findHint: 'The beginning of a name, nickname or username.',
  nobody: 'Nobody of that name',
  nobodyHasIt: 'Nobody has this role',
  withRole: 'With the role',
  anyRole: 'Any role',
  creator: 'Creator',
  creatorStays: 'The creator of the server cannot be banned.',
  agent: 'Agent',
  joined: (when: string) => `joined ${when}`,
  roles: 'Roles',
  rolesOf: (name: string) => `Roles of ${name}`,
  nickname: 'Nickname',
  nicknameHint: (name: string) => `Shown in this server in place of “${name}”. Leave it empty for none.`,
  kick: 'Kick',
  askKick: (name: string) => `Kick ${name}?`,
  kickMore: 'Their API keys, webhooks and agents here end at once. With an invite they can come back.',
  kicked: (name: string) => `${name} is no longer a member.`,
  ban: 'Ban',
  askBan: (name: string) => `Ban ${name}?`,
  banMore:
    'They are removed as by a kick, and cannot come back until the ban is lifted, with or without an invite.',
  reason: 'Reason',
  reasonHint: 'Shown to those who may ban.',
  banned: (name: string) => `${name} is banned.`,
};
