import type { Flag } from '../../client/src/index.ts';

/** All permission flags, strongest first. */
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

/** The flags that a role has. */
export const flagsOf = (role: Role): Flag[] => flags.filter((flag) => role[flag]);

/** The flags that some roles add to those of the default role. */
export function flagsBeyond(all: readonly (Role & { isDefault: boolean })[], some: readonly Role[]): Flag[] {
  const everybody = all.find(({ isDefault }) => isDefault);
  return flags.filter((flag) => !everybody?.[flag] && some.some((role) => role[flag]));
}
