import type { Flag } from '../../client/src/index.ts';

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

type Role = Readonly<Record<Flag, boolean>>;

/** The flags that a role has by itself. */
export const flagsOf = (role: Role): Flag[] => flags.filter((flag) => role[flag]);

/** The flags of some roles that not every member has by the default one. */
export function flagsBeyond(all: readonly (Role & { isDefault: boolean })[], some: readonly Role[]): Flag[] {
  const everybody = all.find(({ isDefault }) => isDefault);
  return flags.filter((flag) => !everybody?.[flag] && some.some((role) => role[flag]));
}
