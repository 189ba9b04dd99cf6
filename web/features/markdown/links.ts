/** The normalized URL of a web or mail link. Undefined for other links, such as `javascript:`. */
export function addressOf(href: string): string | undefined {
  const text = href.trim();
  if (!URL.canParse(text)) return undefined;
  const { protocol, href: address } = new URL(text);
  return protocol === 'https:' || protocol === 'http:' || protocol === 'mailto:' ? address : undefined;
}

const named = /^(?:https?:\/\/)?([^\s/?#:@]+\.[^\s/?#:@]+)/i;

/**
 * The actual host of a link whose text shows a different one, either as a deception or with lookalike
 * letters. In ASCII (`xn--…`), which makes it distinguishable from the imitated host. Undefined if the text
 * is honest.
 */
export function otherHost(address: string, text: string): string | undefined {
  const { protocol, host } = new URL(address);
  if (protocol === 'mailto:') return undefined;
  const said = named.exec(text.trim())?.[1]?.toLowerCase();
  const isUnicode = host.startsWith('xn--') || host.includes('.xn--');
  if (said === undefined) return isUnicode ? host : undefined;
  const bare = (name: string) => name.replace(/^www\./, '');
  return bare(said) === bare(host.replace(/:\d+$/, '')) ? undefined : host;
}

/**
 * Mentions in a text: `@username`, as the server parses it, and `#channel`. Text inside a word or a URL
 * does not match.
 */
const names = /(?<![\p{L}\p{N}_/.@#-])([@#])([\p{L}\p{N}_](?:[\p{L}\p{N}_.-]{0,98}[\p{L}\p{N}_])?)/gu;

/** A piece of a text that is split into plain text and mentions. */
export type Piece = string | { readonly mark: '@' | '#'; readonly name: string };

export function piecesOf(text: string): Piece[] {
  // A fast path: most texts have no mentions, and the Unicode regular expression is slow.
  if (!/[@#]/.test(text)) return text === '' ? [] : [text];
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of text.matchAll(names)) {
    if (match.index > end) pieces.push(text.slice(end, match.index));
    pieces.push({ mark: match[1] as '@' | '#', name: match[2] as string });
    end = match.index + match[0].length;
  }
  if (end < text.length) pieces.push(text.slice(end));
  return pieces;
}
