/**
 * The role flags in the specification, part 5. Its table omits `canEditServer`, but its rules use the flag.
 */
export const flagMeanings = {
  canAdmin: 'Full server administration',
  canEditChannel: 'Create, modify, delete channels',
  canEditServer: 'Change the server, its channels and its apps',
  canEditData: 'Send messages, create threads, add reactions',
  canModerate: 'Pin messages, edit and remove messages, kick members',
  canEditApp: 'Manage app installations and secrets',
  canViewData: 'Read generic app data',
} as const;

export type Flag = keyof typeof flagMeanings;
export type Flags = Record<Flag, boolean>;

export const flagNames = Object.keys(flagMeanings) as Flag[];

/** Returns the flags that are set in a role, in the order of the table. */
export const flagsOf = (role: Flags): Flag[] => flagNames.filter((flag) => role[flag]);

/** Returns all seven columns, each true if its flag is in `set`. */
export const flagColumns = (set: Iterable<Flag>): Flags => {
  const chosen = new Set(set);
  return Object.fromEntries(flagNames.map((flag) => [flag, chosen.has(flag)])) as Flags;
};

/** Returns the flags, including those that they imply: `canAdmin` implies all flags (decisions, part 6). */
export const effectiveFlags = (own: readonly Flag[]): ReadonlySet<Flag> =>
  new Set(own.includes('canAdmin') ? flagNames : own);
