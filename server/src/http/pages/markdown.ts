import { Marked, type Tokens } from 'marked';
import { escapeHtml } from '../../lib/html.ts';

/** A heading and the plain text below it, up to the next heading. */
export interface Section {
  /** The anchor of the heading, as on GitHub. */
  id: string;
  title: string;
  level: number;
  text: string;
}

export interface Rendered {
  html: string;
  sections: Section[];
}

/** Inline code with up to this many characters is not wrapped, to keep flags and options intact. */
const UNBROKEN = 36;

/** Renders inline code as HTML. */
export const renderCode = (text: string): string =>
  `<code${text.length <= UNBROKEN ? ' class="whole"' : ''}>${escapeHtml(text)}</code>`;

/**
 * Returns the anchor that a heading has on GitHub: in lowercase, without punctuation, and with hyphens for
 * spaces.
 */
const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, '')
    .replaceAll(' ', '-');

/** Returns the text of inline tokens, without markup. */
function plainOf(tokens: readonly Tokens.Generic[] = []): string {
  return tokens
    .map((token) => (token.tokens ? plainOf(token.tokens) : token.type === 'br' ? ' ' : (token.text ?? '')))
    .join('')
    .replace(/&(amp|lt|gt|quot|#39);/g, (entity) => unescaped[entity] ?? entity);
}

const unescaped: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

/** Returns the text of a block, for the search index. */
function textOf(token: Tokens.Generic): string {
  if (token.type === 'table')
    return [token.header, ...token.rows]
      .flat()
      .map((cell: Tokens.TableCell) => plainOf(cell.tokens))
      .join(' ');
  if (token.type === 'list')
    return token.items.map((item: Tokens.ListItem) => item.tokens.map(textOf).join(' ')).join(' ');
  if (token.type === 'blockquote') return (token.tokens ?? []).map(textOf).join(' ');
  return token.tokens ? plainOf(token.tokens) : (token.text ?? '');
}

/**
 * Renders a text from this repository. `linkTo` resolves links; if it returns undefined, only the link's
 * text remains. Headings get anchors, tables get a scrollable frame, and code gets a frame for the copy
 * button.
 */
export function render(markdown: string, linkTo: (href: string) => string | undefined): Rendered {
  const used = new Map<string, number>();
  const ids = new Map<Tokens.Generic, string>();
  const sections: Section[] = [];
  const marked = new Marked({
    renderer: {
      heading(token) {
        const { depth, tokens } = token;
        const id = ids.get(token) ?? '';
        const words = this.parser.parseInline(tokens);
        if (depth === 1) return `<h1 id="${id}">${words}</h1>\n`;
        return `<h${depth} id="${id}"><a class="anchor" href="#${id}">${words}</a></h${depth}>\n`;
      },
      link({ href, tokens }) {
        const words = this.parser.parseInline(tokens);
        const address = linkTo(href);
        if (address === undefined) return words;
        const away = /^https?:/.test(address) ? ' rel="noreferrer"' : '';
        return `<a href="${escapeHtml(address)}"${away}>${words}</a>`;
      },
      code({ text, lang }) {
        const language = (lang ?? '').split(' ')[0] ?? '';
        const named = language && ` data-language="${escapeHtml(language)}"`;
        return `<figure class="code"${named}><pre tabindex="0"><code>${escapeHtml(text)}</code></pre></figure>\n`;
      },
      codespan({ text }) {
        return renderCode(text);
      },
      table({ header, rows }) {
        const cells = (row: Tokens.TableCell[], tag: string) =>
          row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('');
        const body = rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n');
        const head = header.some(({ text }) => text !== '')
          ? `<thead><tr>${cells(header, 'th')}</tr></thead>`
          : '';
        return `<div class="table" tabindex="0"><table>${head}<tbody>${body}</tbody></table></div>\n`;
      },
    },
  });
  const tokens = marked.lexer(markdown);
  for (const token of tokens) {
    if (token.type !== 'heading') {
      const section = sections.at(-1);
      if (section) section.text += `${textOf(token)} `;
      continue;
    }
    const title = plainOf(token.tokens);
    const anchor = anchorOf(title);
    const earlier = used.get(anchor) ?? 0;
    used.set(anchor, earlier + 1);
    const id = earlier > 0 ? `${anchor}-${earlier}` : anchor;
    ids.set(token, id);
    sections.push({ id, title, level: token.depth, text: '' });
  }
  return { html: marked.parser(tokens), sections };
}

/** Renders one line. Only code is marked up. */
export const renderLine = (words: string): string =>
  escapeHtml(words).replace(/`([^`]+)`/g, '<code class="whole">$1</code>');

/** Renders text from the OpenAPI document, which has no relative links. */
export const renderWords = (words: string): string =>
  render(words, (href) => (/^(https?:|\/|#)/.test(href) ? href : undefined)).html;
