import { isName, mentionsIn } from '../../../server/src/lib/text/index.ts';
import type { Rows, ServerState } from '../../replica/types.ts';

type Role = Rows['role'];

/** A group of members that a message can mention: all, those online, or those with a role. */
export type Group = 'everyone' | 'here' | Role;

/** Maximum number of mentions that the server evaluates. */
const MOST = 50;
const keyOf = (name: string): string => name.normalize('NFKC').toLowerCase();

/**
 * The group that a name refers to. `longer` is the name with the punctuation that follows, which may be part of
 * a role's name.
 */
export function groupNamed(roles: readonly Role[], name: string, longer: string): Group | undefined {
  const called = keyOf(name);
  if (called === 'everyone' || called === 'here') return called;
  const find = (key: string) => roles.find((role) => role.mentionable && keyOf(role.name) === key);
  return find(keyOf(longer)) ?? find(called);
}

/** The groups that a message mentions. */
export const groupsIn = (roles: readonly Role[], content: string): Group[] =>
  mentionsIn(content, MOST).flatMap(({ name, longer }) => groupNamed(roles, name, longer) ?? []);

/** Whether a message mentions this username. */
export const mentions = (content: string, username: string): boolean =>
  mentionsIn(content, MOST).some(({ name, longer }) => name === username || longer === username);

/** How a group is written in a message. */
export const groupText = (group: Group): string => `@${typeof group === 'string' ? group : group.name}`;

/** Whether the user may mention everyone, and everyone who is online. */
export const mayMentionAll = (standing: ServerState['standing'] | undefined): boolean =>
  standing !== undefined && (standing.isServerCreator || standing.flags.includes('canModerate'));

/** The groups that the user may mention. Leaves out roles whose names contain characters that a mention cannot. */
export const mentionableGroups = (
  roles: readonly Role[],
  standing: ServerState['standing'] | undefined,
): Group[] => [
  ...(mayMentionAll(standing) ? (['everyone', 'here'] as const) : []),
  ...roles.filter(({ mentionable, name }) => mentionable && isName('@', name)),
];
