/** Replaces the password in a URL with `***`, for logs and messages. Throws TypeError if it is not a URL. */
export function withoutPassword(text: string): string {
  const url = new URL(text);
  if (url.password) url.password = '***';
  return url.href;
}

/**
 * Returns the lowercase host of a URL, without the port. Undefined if the text is not a URL, or contains
 * credentials.
 */
export function hostOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { hostname, username, password } = new URL(url);
  return username || password ? undefined : hostname.replace(/\.$/, '');
}
