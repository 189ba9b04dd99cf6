import { setImmediate } from 'node:timers/promises';
import { Parser } from 'htmlparser2';
import { cleanName } from '../../../lib/names.ts';

/** The texts of a page. */
export interface PageTexts {
  title: string;
  text?: string;
  site?: string;
}

/** The part of a page that its preview shows. */
export interface PageHead {
  texts: PageTexts;
  /** The URL of the picture as written in the page. It may be relative. */
  picture?: string;
}

const MAX_TITLE = 200;
const MAX_TEXT = 300;
const MAX_SITE = 80;
const MAX_URL = 2_048;
/** Number of characters to parse per turn of the event loop. */
const PIECE = 16 * 1024;
/** Maximum elements in a head: the parser's time grows with the square of the number of open elements. */
const MAX_ELEMENTS = 2_000;
/** The elements allowed in a head (HTML, 4.2). Any other element ends it. */
const inHead: ReadonlySet<string> = new Set(
  'html head title base link meta style script noscript template'.split(' '),
);
/**
 * The names of the `meta` elements for each text, in order of preference (Open Graph protocol, X cards,
 * HTML).
 */
const sources = {
  title: ['og:title', 'twitter:title'],
  text: ['og:description', 'twitter:description', 'description'],
  site: ['og:site_name', 'application-name'],
  picture: ['og:image', 'og:image:secure_url', 'og:image:url', 'twitter:image', 'twitter:image:src'],
} as const;

/** Returns the text as one line of at most `max` characters; undefined if nothing visible is left. */
function lineOf(text: string | undefined, max: number): string | undefined {
  const line = cleanName((text ?? '').slice(0, 10 * max).replace(/\s+/g, ' '), max + 1);
  if (line === '') return undefined;
  const characters = [...line];
  return characters.length > max ? `${characters.slice(0, max - 1).join('')}…` : line;
}

/**
 * Reads the title, the description and the URL of the picture from the head of an HTML page; undefined if it
 * has no title. Takes linear time, and regularly yields to the event loop.
 */
export async function headOfPage(html: string): Promise<PageHead | undefined> {
  const meta = new Map<string, string>();
  let title = '';
  let isInTitle = false;
  let isOver = false;
  let elements = 0;
  const parser = new Parser({
    onopentag(name, { name: named, property, content }) {
      if (name === 'title' && title === '') isInTitle = true;
      if (!inHead.has(name) || elements++ > MAX_ELEMENTS) isOver = true;
      if (isOver || name !== 'meta' || content === undefined) return;
      const key = (property ?? named ?? '').toLowerCase();
      if (!meta.has(key)) meta.set(key, content);
    },
    ontext(text) {
      if (isInTitle && !isOver && title.length < 10 * MAX_TITLE) title += text;
    },
    onclosetag(name) {
      if (name === 'title') isInTitle = false;
      if (name === 'head') isOver = true;
    },
  });
  for (let at = 0; at < html.length && !isOver; at += PIECE) {
    if (at > 0) await setImmediate();
    parser.write(html.slice(at, at + PIECE));
  }
  parser.end();
  const best = (names: readonly string[], max: number): string | undefined => {
    for (const name of names) {
      const line = lineOf(meta.get(name), max);
      if (line !== undefined) return line;
    }
    return undefined;
  };
  const found = best(sources.title, MAX_TITLE) ?? lineOf(title, MAX_TITLE);
  if (found === undefined) return undefined;
  const text = best(sources.text, MAX_TEXT);
  const site = best(sources.site, MAX_SITE);
  const texts = { title: found, ...(text !== undefined && { text }), ...(site !== undefined && { site }) };
  const picture = sources.picture.map((name) => meta.get(name)?.trim()).find(isUrl);
  return { texts, ...(picture && { picture }) };
}

const isUrl = (value: string | undefined): boolean =>
  value !== undefined && value !== '' && value.length <= MAX_URL;

/**
 * Decodes the text of a page. The encoding comes from the header or the first bytes, and defaults to UTF-8.
 */
export function decoded(body: Uint8Array, contentType: string): string {
  const named =
    /charset=["']?([\w-]+)/i.exec(contentType) ??
    /<meta[^>]{0,200}charset=["']?([\w-]+)/i.exec(Buffer.from(body.subarray(0, 4096)).toString('latin1'));
  try {
    return new TextDecoder(named?.[1] ?? 'utf-8').decode(body);
  } catch {
    return new TextDecoder().decode(body);
  }
}
