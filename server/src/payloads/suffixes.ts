/** The path of incoming webhooks, up to the token. */
export const HOOK_PREFIX = '/hooks/';
/** The path of flow hooks. */
export const FLOW_HOOK_PREFIX = `${HOOK_PREFIX}flows/`;

/** The suffixes that an incoming webhook's URL may have. */
export const suffixes = ['slack', 'discord', 'github'] as const;
export type Suffix = (typeof suffixes)[number];
