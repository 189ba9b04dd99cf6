/** The role flags of the specification, part 5, and `canEditServer`, which its rules name. */
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

/** The flags that a role sets, in the order of the table. */
export const flagsOf = (role: Flags): Flag[] => flagNames.filter((flag) => role[flag]);

/** All seven columns, those in `set` true. */
export const flagColumns = (set: Iterable<Flag>): Flags => {
  const chosen = new Set(set);
  return Object.fromEntries(flagNames.map((flag) => [flag, chosen.has(flag)])) as Flags;
};

/** What the flags allow: `canAdmin` implies every other (decisions, part 6). */
export const effectiveFlags = (own: readonly Flag[]): ReadonlySet<Flag> =>
  new Set(own.includes('canAdmin') ? flagNames : own);
