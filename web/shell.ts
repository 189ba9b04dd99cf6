const paths = [
  /^\/$/,
  /^\/s\/[^/]+$/,
  /^\/s\/[^/]+\/c\/[^/]+(\/m\/[^/]+)?$/,
  /^\/s\/[^/]+\/settings(\/[^/]+)?$/,
  /^\/(me|platform)(\/[^/]+)?$/,
  /^\/(sign-in|sign-up)$/,
  /^\/invite\/[^/]+$/,
  /^\/device$/,
];

/**
 * True for an address of the client that can open without the server. Addresses with secrets after `?` are none of them: the server
 * alone answers those, with headers that let no other page know them.
 */
export const isShell = (pathname: string): boolean => paths.some((path) => path.test(pathname));
