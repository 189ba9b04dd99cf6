const paths = [
  /^\/$/,
  /^\/s\/[^/]+$/,
  /^\/s\/[^/]+\/c\/[^/]+(\/m\/[^/]+)?$/,
  /^\/s\/[^/]+\/settings(\/[^/]+)?$/,
  /^\/direct$/,
  /^\/(me|platform|later)(\/[^/]+)?$/,
  /^\/(sign-in|sign-up)$/,
  /^\/invite\/[^/]+$/,
  /^\/device$/,
];

/**
 * True for paths of the client that can open offline. Paths with secrets in the query are excluded: only
 * the server serves them, with headers that prevent the URL from leaking to other pages.
 */
export const isShell = (pathname: string): boolean => paths.some((path) => path.test(pathname));
