/** The suffixes that the address of an incoming webhook may have. */
export const suffixes = ['slack', 'discord', 'github'] as const;
export type Suffix = (typeof suffixes)[number];
