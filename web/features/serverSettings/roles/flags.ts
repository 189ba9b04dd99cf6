import type { Flag } from '../../../../client/src/index.ts';

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
