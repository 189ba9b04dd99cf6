/** The URL with its password replaced by `***`, for logs and messages. Throws TypeError if it is not a URL. */
export function withoutPassword(text: string): string {
  const url = new URL(text);
  if (url.password) url.password = '***';
  return url.href;
}
