/** The normalized URL of a web or mail link. Undefined for other links, such as `javascript:`. */
export function addressOf(href: string): string | undefined {
  const text = href.trim();
  if (!URL.canParse(text)) return undefined;
  const { protocol, href: address } = new URL(text);
  return protocol === 'https:' || protocol === 'http:' || protocol === 'mailto:' ? address : undefined;
}

/** Matches a host, with or without a scheme, path or mailbox around it. */
const hosts =
  /(?:[\p{L}\p{M}\p{N}-]+\.)+\p{L}[\p{L}\p{M}\p{N}-]+|\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f.]*:[\da-f.:]*:[\da-f.:]*\]/giu;
/** Characters that resemble the dot in a host, except the Catalan middle dot between two l's. */
const dots =
  /(?!(?<=l)\u00b7l)[\u00b7\u0387\u05c5\u06d4\u0701\u0702\u2022\u2027\u2219\u22c5\u2e31\u2e33\u3002\ua78f\uff61]/giu;
/** Invisible characters, which may have been inserted into a host. */
const hidden = /\p{Default_Ignorable_Code_Point}/gu;
/**
 * Maximum number of characters of a link's text that are searched for hosts. For longer text, the actual host
 * is always shown.
 */
const MAX_SEARCHED = 500;

/** The host in ASCII and without `www.`. Undefined if it is not a valid host. */
function bareHost(name: string): string | undefined {
  const url = `http://${name}`;
  return URL.canParse(url) ? new URL(url).hostname.replace(/^www\./, '') : undefined;
}

/**
 * The hosts in a word of a link's text: those before its path, including any before an `@`, because a mailbox
 * or user name can pass for the host. Paths are searched only if nothing else is found, because file names
 * look like hosts.
 */
function hostsIn(word: string): string[] {
  const [, scheme, rest = ''] = /^(?:(.*?):\/\/)?[/?#\\]*(.*)$/.exec(word) ?? [];
  const [authority = ''] = rest.split(/[/?#\\]/, 1);
  const found = `${scheme ?? ''} ${authority}`.match(hosts) ?? [];
  if (found.length > 0) return found;
  // A host without a dot, which only a scheme makes recognizable.
  const [plain] = scheme === undefined ? [] : (/[\p{L}\p{N}-]+(?=:\d*$|$)/u.exec(authority) ?? []);
  return plain === undefined ? (word.match(hosts) ?? []).slice(0, 1) : [plain];
}

/**
 * The actual host of a link if its text shows another host anywhere, or imitates it with lookalike letters or
 * dots. Returned in ASCII (`xn--…`), so it can be told apart from the imitated host. Undefined if the text is
 * not misleading.
 */
export function otherHost(address: string, text: string): string | undefined {
  const { protocol, host, hostname } = new URL(address);
  if (protocol === 'mailto:') return undefined;
  if (text.length > MAX_SEARCHED) return host;
  const words = text.replace(hidden, '').replace(dots, '.').normalize('NFKC').replace(dots, '.').split(/\s+/);
  const said = words.flatMap(hostsIn);
  if (/(?:^|\.)xn--/.test(host)) return said.length === 1 && said[0] === hostname ? undefined : host;
  const actual = hostname.replace(/^www\./, '');
  return said.every((one) => bareHost(one) === actual) ? undefined : host;
}
