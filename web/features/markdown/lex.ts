import {
  getDefaults,
  Lexer,
  type MarkedOptions,
  type Token,
  Tokenizer,
  type TokenizerThis,
  type Tokens,
} from 'marked';
import { decoded } from './entities.ts';

/** A token of CommonMark with GFM, or one of our own: a spoiler. */
export type { Token } from 'marked';

/** Longer texts show as plain text, so that none freezes the page. Messages have up to 8,000 characters. */
const MOST = 20_000;
/** Marks of emphasis, links and quotes beyond which a text is no text: the time to read them grows with their square. */
const MOST_MARKS = 1_500;
/** Quotes and lists within each other are read so deep. */
const DEEPEST = 40;

/** Inline marks that begin and end in two bars: hidden until they are asked for. */
function spoiler(this: TokenizerThis, source: string) {
  const match = /^\|\|(?=\S)([\s\S]{0,2000}?\S)\|\|/.exec(source);
  if (!match) return undefined;
  const text = match[1] as string;
  return { type: 'spoiler', raw: match[0], text, tokens: this.lexer.inlineTokens(text) };
}

/** HTML is text like any other, so that what stands between tags is read as Markdown. */
class WithoutHtml extends Tokenizer {
  override html = () => undefined;
  override tag = () => undefined;
}

/** As `marked.use` would make them: the lexer alone is used, and the rest of marked is not loaded. */
const options = (): MarkedOptions => ({
  ...getDefaults(),
  gfm: true,
  breaks: true,
  tokenizer: new WithoutHtml(),
  extensions: {
    renderers: {},
    childTokens: {},
    inline: [spoiler],
    startInline: [(source) => source.indexOf('||')],
  },
});

/** Most messages: one line that begins with a letter. It is a paragraph, so that nobody needs to look for lists, tables and the like. */
const isOneParagraph = (content: string): boolean => /^\p{L}(?:[^\r\n]*\S)?$/u.test(content);

const isHard = (content: string): boolean =>
  content.length > MOST ||
  (content.match(/[*_[>]/g)?.length ?? 0) > MOST_MARKS ||
  /[ \t]{300}|^(?:[ \t]*[>*+-]){40}/m.test(content);

const depthOf = (tokens: readonly Token[] | undefined, depth = 0): number =>
  depth > DEEPEST
    ? depth
    : Math.max(
        depth,
        ...(tokens ?? []).map((token) =>
          depthOf((token as Tokens.List).items ?? childrenOf(token), depth + 1),
        ),
      );

const childrenOf = (token: Token): Token[] | undefined => (token as { tokens?: Token[] }).tokens;

/** The tokens of a message. Nothing of it is ever put into a page as HTML. */
export function lex(content: string): Token[] {
  const plain = [{ type: 'paragraph', raw: content, text: content, tokens: [] } as Tokens.Paragraph];
  plain[0]?.tokens.push({ type: 'escape', raw: content, text: content });
  if (isHard(content)) return plain;
  try {
    const lexer = new Lexer(options());
    if (isOneParagraph(content))
      return [{ type: 'paragraph', raw: content, text: content, tokens: lexer.inlineTokens(content) }];
    const tokens = lexer.lex(content);
    return depthOf(tokens) > DEEPEST ? plain : tokens;
  } catch {
    // A text that the lexer gives up on is a text all the same.
    return plain;
  }
}

/** The words of a message without its marks, in one line: for a glimpse of it, and to be read out. Spoilers stay hidden. */
export function textOf(content: string): string {
  return wordsOf(lex(content)).replaceAll(/\s+/g, ' ').trim();
}

function wordsOf(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      const { type, raw } = token;
      if (type === 'spoiler') return '▒▒▒';
      if (type === 'checkbox') return '';
      if (type === 'br' || type === 'space' || type === 'hr') return ' ';
      if (type === 'list')
        return (token as Tokens.List).items.map((item) => `${wordsOf(item.tokens)} `).join('');
      if (type === 'table') {
        const { header, rows } = token as Tokens.Table;
        return [header, ...rows]
          .map((row) => row.map((cell) => `${wordsOf(cell.tokens)} `).join(''))
          .join('');
      }
      const inside = childrenOf(token);
      if (inside) return wordsOf(inside) + (type === 'paragraph' || type === 'heading' ? ' ' : '');
      const { text = raw } = token as { text?: string };
      return type === 'text' ? decoded(text) : text;
    })
    .join('');
}

const emojiOnly =
  /^(?:\s*(?:\p{RI}\p{RI}|\p{Emoji}(?:\p{EMod}|\u{FE0F}\u{20E3}?)?(?:\u{200D}\p{Emoji}(?:\p{EMod}|\u{FE0F})?)*)){1,12}\s*$/u;

/** True for up to a dozen emoji and nothing else: those are shown large. Digits are emoji, too, by Unicode's word. */
export const isEmojiOnly = (content: string): boolean =>
  content.length < 200 &&
  !/^\s*[a-z]/i.test(content) &&
  !/[\d#*]/.test(content.replace(/[\d#*]\u{FE0F}?\u{20E3}/gu, '')) &&
  emojiOnly.test(content);
