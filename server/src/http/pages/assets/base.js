/**
 * The base path of the server, without a trailing slash. It is derived from the URL of this script,
 * `/docs/assets/<digest>/…`.
 */
export const base = new URL('../../..', import.meta.url).pathname.slice(0, -1);
