import type { Rows } from '../../../replica/types.ts';

export type CommandRow = Rows['command'];
export type OptionRow = CommandRow['options'][number];

/** A part of a command's text: `service:web`, `web` or `"two words"`. */
interface Token {
  text: string;
  /** The token's position in the text. */
  from: number;
}

/** An option with the text that was typed for it. */
export interface Given {
  option: OptionRow;
  text: string;
}

export interface Parsed {
  given: readonly Given[];
  /** The first token that fits no option. */
  surplus: string | undefined;
  /** The name of an option that is given twice. */
  twice: string | undefined;
}

const NAME = /^\/([\p{L}\p{M}\p{N}_-]+)/u;

/** The command name at the start of the text, in lower case; undefined if there is none. */
export const nameIn = (text: string): string | undefined =>
  NAME.exec(text)?.[1]?.normalize('NFKC').toLowerCase();

const unquoted = (text: string): string => text.replaceAll('"', '');

function tokensIn(text: string): Token[] {
  const start = NAME.exec(text)?.[0].length ?? 0;
  return [...text.slice(start).matchAll(/(?:[^\s"]|"[^"]*(?:"|$))+/gu)].map((match) => ({
    text: match[0],
    from: start + match.index,
  }));
}

/** The option named by a token such as `service:web`. */
export function namedIn(options: readonly OptionRow[], token: string): Given | undefined {
  const colon = token.indexOf(':');
  if (colon < 1) return undefined;
  const name = token.slice(0, colon).normalize('NFKC').toLowerCase();
  const option = options.find((one) => one.name === name);
  return option && { option, text: unquoted(token.slice(colon + 1)) };
}

/**
 * Assigns typed tokens to a command's options: `service:web` by name, all others by position. The last
 * positional option takes the rest of the text if it is a text option.
 */
export function parse({ options }: CommandRow, text: string): Parsed {
  const tokens = tokensIn(text);
  const given = new Map<OptionRow, string>();
  let twice: string | undefined;
  const plain: Token[] = [];
  for (const token of tokens) {
    const named = namedIn(options, token.text);
    if (!named) plain.push(token);
    else if (given.has(named.option)) twice ??= named.option.name;
    else given.set(named.option, named.text);
  }
  const open = options.filter((option) => !given.has(option));
  let surplus: string | undefined;
  for (const [at, token] of plain.entries()) {
    const option = open[at];
    if (!option) {
      surplus = token.text;
      break;
    }
    const isRest = option.type === 'text' && at === open.length - 1;
    given.set(
      option,
      unquoted(
        isRest
          ? plain
              .slice(at)
              .map(({ text }) => text)
              .join(' ')
          : token.text,
      ),
    );
    if (isRest) break;
  }
  return { given: [...given].map(([option, text]) => ({ option, text })), surplus, twice };
}
