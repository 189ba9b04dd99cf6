/** The path of incoming webhooks, before the token. */
export const HOOK_PREFIX = '/hooks/';

/** The suffixes that an incoming webhook's URL may have. */
export const suffixes = ['slack', 'discord', 'github'] as const;
export type Suffix = (typeof suffixes)[number];
