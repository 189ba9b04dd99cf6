/** The URL with its password replaced by `***`, for logs and messages. Throws TypeError if it is not a URL. */
export function withoutPassword(text: string): string {
  const url = new URL(text);
  if (url.password) url.password = '***';
  return url.href;
}

/** The host of a URL, in lower case and without its port. Undefined if the URL is none, or has more than a host. */
export function hostOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { hostname, username, password } = new URL(url);
  return username || password ? undefined : hostname.replace(/\.$/, '');
}
