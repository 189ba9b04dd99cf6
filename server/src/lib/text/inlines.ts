import { type Address, addressAt, bareAddressAt, emailAt } from './addresses.ts';
import { assembled, type Bracket, CLOSE, type Item } from './assembled.ts';
import { CodeSpans } from './codeSpans.ts';
import { type Definitions, labelKey } from './definitions.ts';
import { Runs } from './delimiters.ts';
import { readEntity } from './escapes.ts';
import { nameAt } from './names.ts';
import type { Inline } from './nodes.ts';
import { isEscapable, readLinkTail } from './targets.ts';

const special = /[\n\\`*_~[\]!<&|@#]|:\/\/|www\./gi;
const uri = /<([a-zA-Z][a-zA-Z\d+.-]{1,31}:[^\s<>\p{Cc}]*)>/uy;
const email =
  /<([\w.!#$%&'*+/=?^`{|}~-]+@[a-zA-Z\d](?:[a-zA-Z\d-]{0,61}[a-zA-Z\d])?(?:\.[a-zA-Z\d](?:[a-zA-Z\d-]{0,61}[a-zA-Z\d])?)*)>/y;
/**
 * Matches an HTML tag, comment or similar, which is treated as text without formatting. Long tags are not
 * matched, to keep the search linear.
 */
const tag =
  /<(?:[a-zA-Z][a-zA-Z\d-]*(?:\s+[a-zA-Z_:][\w.:-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']{0,500}'|"[^"]{0,500}"))?)*\s*\/?|\/[a-zA-Z][a-zA-Z\d-]*\s*|!---?|!--[\s\S]{0,500}?--|\?[\s\S]{0,500}?\?|![a-zA-Z][^>]{0,500}|!\[CDATA\[[\s\S]{0,500}?\]\])>/y;
const label = /\[((?:[^\\[\]]|\\[\s\S]){0,999})\]/y;

/** Parses the text of a block, which has one or more lines. */
export function inlinesOf(text: string, definitions: Definitions): Inline[] {
  return new Reader(text, definitions).read();
}

class Reader {
  readonly #text: string;
  readonly #definitions: Definitions;
  readonly #items: Item[] = [];
  readonly #runs = new Runs();
  readonly #brackets: Bracket[] = [];
  readonly #codeSpans: CodeSpans;
  /** Brackets with lower numbers start no link, because links cannot be nested. */
  #inactive = 0;
  /** The start of the text that has not been added to `items` yet, and the current position. */
  #from = 0;
  #at = 0;
  #lastName = -1;

  constructor(text: string, definitions: Definitions) {
    this.#text = text;
    this.#definitions = definitions;
    this.#codeSpans = new CodeSpans(text);
  }

  read(): Inline[] {
    special.lastIndex = 0;
    for (;;) {
      special.lastIndex = this.#at;
      const match = special.exec(this.#text);
      if (!match) break;
      this.#at = match.index;
      if (!this.#take(match[0])) this.#at += match[0].length;
    }
    this.#push(this.#text.length);
    this.#runs.pair(undefined);
    return assembled(this.#items);
  }

  /** Adds the text up to `at`, then the items, and continues at `end`. */
  #push(at: number, end = at, ...items: Item[]): true {
    if (at > this.#from) this.#items.push(this.#text.slice(this.#from, at));
    this.#items.push(...items);
    this.#from = end;
    this.#at = end;
    return true;
  }

  /** Parses the construct at this position. Returns false if the characters are text. */
  #take(found: string): boolean {
    switch (found) {
      case '\n':
        return this.#lineBreak();
      case '\\':
        return this.#escape();
      case '`':
        return this.#code();
      case '*':
      case '_':
      case '~':
      case '|':
        return this.#run();
      case '[':
        return this.#bracket(false);
      case '!':
        return this.#text[this.#at + 1] === '[' && this.#bracket(true);
      case ']':
        return this.#closeBracket();
      case '<':
        return this.#angle();
      case '&':
        return this.#entity();
      case '@':
        return this.#link(emailAt(this.#text, this.#at, this.#from)) || this.#name('@');
      case '#':
        return this.#name('#');
      case '://':
        return this.#link(addressAt(this.#text, this.#at, this.#from, this.#brackets.length > 0));
      default:
        return this.#link(bareAddressAt(this.#text, this.#at, this.#brackets.length > 0));
    }
  }

  #lineBreak(): true {
    let end = this.#at;
    while (end > this.#from && this.#text[end - 1] === ' ') end -= 1;
    let next = this.#at + 1;
    const isHard = this.#at - end >= 2;
    while (this.#text[next] === ' ') next += 1;
    return this.#push(end, next, { type: 'break', isHard });
  }

  #escape(): boolean {
    const next = this.#at + 1;
    if (this.#text[next] === '\n') return this.#push(this.#at, next + 1, { type: 'break', isHard: true });
    if (!isEscapable(this.#text.charCodeAt(next))) return false;
    return this.#push(this.#at, next + 1, this.#text[next] as string);
  }

  #code(): boolean {
    const span = this.#codeSpans.at(this.#at);
    if (span.text !== undefined) return this.#push(this.#at, span.end, { type: 'codeSpan', text: span.text });
    this.#at = span.end;
    return true;
  }

  #run(): boolean {
    const run = this.#runs.add(this.#text, this.#at);
    if (run) return this.#push(this.#at, this.#at + run.size, run);
    const mark = this.#text[this.#at];
    while (this.#text[this.#at] === mark) this.#at += 1;
    return true;
  }

  #bracket(isImage: boolean): true {
    const outer = this.#brackets.at(-1);
    if (outer) outer.hasInner = true;
    const at = this.#at + (isImage ? 2 : 1);
    const bracket: Bracket = { isImage, at, run: this.#runs.last, hasInner: false };
    this.#brackets.push(bracket);
    return this.#push(this.#at, at, bracket);
  }

  #closeBracket(): boolean {
    const bracket = this.#brackets.pop();
    if (!bracket) return false;
    const isActive = bracket.isImage || this.#brackets.length >= this.#inactive;
    this.#inactive = Math.min(this.#inactive, this.#brackets.length);
    const target = isActive ? this.#targetOf(bracket) : undefined;
    if (!target) return false;
    bracket.target = target;
    this.#push(this.#at, target.end, CLOSE);
    this.#runs.pair(bracket.run);
    if (!bracket.isImage) this.#inactive = this.#brackets.length;
    return true;
  }

  #targetOf({ at, hasInner }: Bracket): { url: string; title: string; end: number } | undefined {
    const next = this.#at + 1;
    const tail = readLinkTail(this.#text, next);
    if (tail) return tail;
    label.lastIndex = next;
    const inner = label.exec(this.#text)?.[1];
    if (!inner && (hasInner || this.#at - at > 999)) return undefined;
    const key = labelKey(inner || this.#text.slice(at, this.#at));
    const found = key === '' ? undefined : this.#definitions.get(key);
    if (!found) return undefined;
    found.isUsed = true;
    return { url: found.url, title: found.title, end: inner === undefined ? next : label.lastIndex };
  }

  #angle(): boolean {
    for (const [pattern, scheme] of [[uri, ''] as const, [email, 'mailto:'] as const]) {
      pattern.lastIndex = this.#at;
      const text = pattern.exec(this.#text)?.[1];
      if (text === undefined) continue;
      const children: Inline[] = [{ type: 'text', text }];
      return this.#push(this.#at, pattern.lastIndex, {
        type: 'link',
        url: scheme + text,
        title: '',
        children,
      });
    }
    tag.lastIndex = this.#at;
    const text = tag.exec(this.#text)?.[0];
    return text !== undefined && this.#push(this.#at, tag.lastIndex, text);
  }

  #entity(): boolean {
    const entity = readEntity(this.#text, this.#at);
    return entity !== undefined && this.#push(this.#at, this.#at + entity.length, entity.text);
  }

  #link(address: Address | undefined): boolean {
    if (!address) return false;
    const { from, end, url } = address;
    const children: Inline[] = [{ type: 'text', text: this.#text.slice(from, end) }];
    return this.#push(from, end, { type: 'link', url, title: '', children });
  }

  #name(mark: '@' | '#'): boolean {
    const name = nameAt(this.#text, this.#at, this.#lastName);
    if (name === undefined) return false;
    this.#lastName = this.#at + 1 + name.length;
    return this.#push(this.#at, this.#lastName, { type: 'name', mark, name, tail: '' });
  }
}
