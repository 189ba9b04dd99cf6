import type { Flag } from '../../../../client/src/index.ts';
import type { Records } from '../../../api/records.ts';

/** All flags, the strongest first. */
export const flags: readonly Flag[] = [
  'canAdmin',
  'canEditServer',
  'canEditChannel',
  'canEditApp',
  'canModerate',
  'canEditData',
  'canViewData',
];

/** The flags that a role has by itself. */
export const flagsOf = (role: Readonly<Record<Flag, boolean>>): Flag[] => flags.filter((flag) => role[flag]);

/** The role that a server's creator got with the server, which is never deleted: the oldest but the default one. */
export function creatorRoleOf(roles: readonly Records['Role'][]): Records['Role'] | undefined {
  const [first] = roles
    .filter(({ isDefault }) => !isDefault)
    .sort((one, other) => (one.id < other.id ? -1 : 1));
  return first;
}

/** The flags of some roles that not every member has by the default one. */
export function flagsBeyond(all: readonly Records['Role'][], some: readonly Records['Role'][]): Flag[] {
  const everybody = all.find(({ isDefault }) => isDefault);
  return flags.filter((flag) => !everybody?.[flag] && some.some((role) => role[flag]));
}
