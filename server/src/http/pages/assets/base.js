/** The path that the server is served under, without a trailing slash: this script is at `/docs/assets/<digest>/`. */
export const base = new URL('../../..', import.meta.url).pathname.slice(0, -1);
