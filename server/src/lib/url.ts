/**
 * The URL with its password replaced by `***`, for logs and messages. Throws TypeError if it is not a URL.
 */
export function withoutPassword(text: string): string {
  const url = new URL(text);
  if (url.password) url.password = '***';
  return url.href;
}

/** The lowercase host of a URL, without its port. Undefined if the text is not a URL, or has credentials. */
export function hostOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { hostname, username, password } = new URL(url);
  return username || password ? undefined : hostname.replace(/\.$/, '');
}
