import {
  getDefaults,
  Lexer,
  type MarkedOptions,
  type Token,
  Tokenizer,
  type TokenizerThis,
  type Tokens,
} from 'marked';
import { decoded, isVisible } from './entities.ts';

/** A CommonMark or GFM token, or a spoiler. */
export type { Token } from 'marked';

/**
 * Longer texts are shown as plain text, which keeps the page responsive. Messages have up to 8,000
 * characters.
 */
const MOST = 20_000;
/**
 * Texts with more emphasis, link and quote characters than this are shown as plain text, because the
 * parsing time is quadratic in their number.
 */
const MOST_MARKS = 1_500;
/** Maximum nesting depth of quotes and lists. */
const DEEPEST = 40;

/** Inline tokenizer for spoilers: `||text||`. */
function spoiler(this: TokenizerThis, source: string) {
  const match = /^\|\|(?=\S)([\s\S]{0,2000}?\S)\|\|/.exec(source);
  if (!match) return undefined;
  const text = match[1] as string;
  return { type: 'spoiler', raw: match[0], text, tokens: this.lexer.inlineTokens(text) };
}

/** Treats HTML as text, so Markdown between tags is still parsed. */
class WithoutHtml extends Tokenizer {
  override html = () => undefined;
  override tag = () => undefined;
}

/**
 * Options as `marked.use` would create them. Calling it would load all of marked, but only the lexer is
 * needed.
 */
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

/**
 * A fast path for most messages: a single line that starts with a letter is a paragraph, and needs no block
 * parsing.
 */
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

/**
 * Whether anything of these tokens is visible. A definition, an empty block of code, quote or list, or an entity for an
 * invisible character is not: such a message is shown as it was written.
 */
function isSeen(tokens: readonly Token[]): boolean {
  return tokens.some((token) => {
    const { type, raw } = token;
    if (['hr', 'image', 'spoiler', 'table', 'link'].includes(type)) return true;
    if (['def', 'space', 'br', 'checkbox'].includes(type)) return false;
    if (type === 'list') return (token as Tokens.List).items.some((item) => isSeen(item.tokens));
    const inside = childrenOf(token);
    if (inside) return isSeen(inside);
    const { text = raw } = token as { text?: string };
    return isVisible(type === 'text' ? decoded(text) : text);
  });
}

/** Parses a message into tokens, which must never be inserted as HTML. */
export function lex(content: string): Token[] {
  const plain = [{ type: 'paragraph', raw: content, text: content, tokens: [] } as Tokens.Paragraph];
  plain[0]?.tokens.push({ type: 'escape', raw: content, text: content });
  if (isHard(content)) return plain;
  try {
    const lexer = new Lexer(options());
    if (isOneParagraph(content))
      return [{ type: 'paragraph', raw: content, text: content, tokens: lexer.inlineTokens(content) }];
    const tokens = lexer.lex(content);
    const isBlank = !isSeen(tokens) && isVisible(content);
    return depthOf(tokens) > DEEPEST || isBlank ? plain : tokens;
  } catch {
    // A text that the lexer can't parse is shown as plain text.
    return plain;
  }
}

/** The plain text of a message on one line, for previews and screen readers. Spoilers stay hidden. */
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

/**
 * True if the message consists of at most a dozen emoji and nothing else; they are then shown larger.
 * Digits are excluded, although Unicode lists them as emoji.
 */
export const isEmojiOnly = (content: string): boolean =>
  content.length < 200 &&
  !/^\s*[a-z]/i.test(content) &&
  !/[\d#*]/.test(content.replace(/[\d#*]\u{FE0F}?\u{20E3}/gu, '')) &&
  emojiOnly.test(content);
