import type { Presence, Records } from '../../../replica/types.ts';

type Member = Records['ListedServerMember'];

/** A group of members, sorted by name. */
export interface Group {
  readonly kind: 'here' | 'away' | 'agents';
  readonly members: readonly { readonly member: Member; readonly presence: Presence | undefined }[];
}

const collator = new Intl.Collator(undefined, { sensitivity: 'base', numeric: true });

export const nameOf = ({ nickname, user }: Member): string => nickname ?? user.name;

/**
 * Groups the members into people who are online, agents, and people who are offline. Empty groups are left
 * out. `presences` are in the order of `members`.
 */
export function groupsOf(members: readonly Member[], presences: readonly (Presence | undefined)[]): Group[] {
  const all = members
    .map((member, at) => ({ member, presence: presences[at] }))
    .sort((one, other) => collator.compare(nameOf(one.member), nameOf(other.member)));
  const isAgent = ({ member }: { member: Member }) => member.user.type === 'agent';
  const isHere = ({ presence }: { presence: Presence | undefined }) =>
    presence !== undefined && presence.status !== 'offline';
  const groups: Group[] = [
    { kind: 'here', members: all.filter((one) => !isAgent(one) && isHere(one)) },
    { kind: 'agents', members: all.filter(isAgent) },
    { kind: 'away', members: all.filter((one) => !isAgent(one) && !isHere(one)) },
  ];
  return groups.filter((group) => group.members.length > 0);
}
