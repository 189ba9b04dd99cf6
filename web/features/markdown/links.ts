/** The normalized URL of a web or mail link. Undefined for other links, such as `javascript:`. */
export function addressOf(href: string): string | undefined {
  const text = href.trim();
  if (!URL.canParse(text)) return undefined;
  const { protocol, href: address } = new URL(text);
  return protocol === 'https:' || protocol === 'http:' || protocol === 'mailto:' ? address : undefined;
}

/** Matches the first host in a word, with or without a scheme, path or mailbox around it. */
const hosts = /(?:[\p{L}\p{N}-]+\.)+\p{L}[\p{L}\p{N}-]+|\d{1,3}(?:\.\d{1,3}){3}/u;
/**
 * Maximum number of characters of a link's text that are searched for hosts. For longer texts, the actual
 * host is always shown.
 */
const MAX_SEARCHED = 500;

/** The host in ASCII and without `www.`. Undefined if it is not a valid host. */
function bareHost(name: string): string | undefined {
  const url = `http://${name}`;
  return URL.canParse(url) ? new URL(url).hostname.replace(/^www\./, '') : undefined;
}

/**
 * The actual host of a link whose text shows a different one anywhere, either as a deception or with
 * lookalike letters and dots. In ASCII (`xn--…`), which makes it distinguishable from the imitated host.
 * Undefined if the text is not misleading.
 */
export function otherHost(address: string, text: string): string | undefined {
  const { protocol, host, hostname } = new URL(address);
  if (protocol === 'mailto:') return undefined;
  if (text.length > MAX_SEARCHED) return host;
  const words = text
    .normalize('NFKC')
    .replace(/[\u3002\uff61]/g, '.')
    .split(/\s+/);
  const said = words.flatMap((word) => hosts.exec(word)?.[0] ?? []);
  if (/(?:^|\.)xn--/.test(host)) return said.length === 1 && said[0] === hostname ? undefined : host;
  const actual = hostname.replace(/^www\./, '');
  return said.every((one) => bareHost(one) === actual) ? undefined : host;
}
