/** The address of a link, if it is one of the web or of mail; undefined for all others, such as `javascript:`. */
export function addressOf(href: string): string | undefined {
  const text = href.trim();
  if (!URL.canParse(text)) return undefined;
  const { protocol, href: address } = new URL(text);
  return protocol === 'https:' || protocol === 'http:' || protocol === 'mailto:' ? address : undefined;
}

const named = /^(?:https?:\/\/)?([^\s/?#:@]+\.[^\s/?#:@]+)/i;

/**
 * The host to which a link leads, if its text names another: by a lie, or by letters that look like others. It is in
 * ASCII (`xn--…`), so that it can be told from the one that it imitates. Undefined where the text is honest.
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

/** Where names stand in a text: `@username`, as the server notifies by it, and `#channel`; not within a word or an address. */
const names = /(?<![\p{L}\p{N}_/.@#-])([@#])([\p{L}\p{N}_](?:[\p{L}\p{N}_.-]{0,98}[\p{L}\p{N}_])?)/gu;

/** A text in pieces: words, and names with their marks. */
export type Piece = string | { readonly mark: '@' | '#'; readonly name: string };

export function piecesOf(text: string): Piece[] {
  // Most texts have none, and to look for letters of all scripts takes its time.
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
