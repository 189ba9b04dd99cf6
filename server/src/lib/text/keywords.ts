import { isEnd, isStart, spaced } from './find.ts';
import { searchText } from './text.ts';

/**
 * Maximum lookups per message, which keeps the cost at a few milliseconds for any text and any keywords. An
 * ordinary text takes a few lookups per word.
 */
const MAX_LOOKUPS = 20_000;

/** Folds a keyword for comparison, as in a search. Only its words remain. Empty if it has none. */
export const keywordTerm = (keyword: string): string => spaced(keyword).trim();

/** Longer terms are looked up by this many initial characters. */
const HEAD = 3;
const short = [1, 2];

/** An index that finds the users whose keywords occur in a text. */
export class KeywordIndex {
  readonly #users = new Map<string, Set<string>>();
  /** The lengths of the terms with the same initial characters, and the number of terms of each length. */
  readonly #lengths = new Map<string, Map<number, number>>();
  readonly #termsOf = new Map<string, readonly string[]>();
  #size = 0;

  /** The number of keywords of all users. */
  get size(): number {
    return this.#size;
  }

  /** Replaces the keywords of a user. */
  set(userId: string, keywords: readonly string[]): void {
    for (const term of this.#termsOf.get(userId) ?? []) this.#remove(term, userId);
    this.#termsOf.delete(userId);
    const terms = [...new Set(keywords.map(keywordTerm))].filter((term) => term !== '');
    if (terms.length === 0) return;
    this.#termsOf.set(userId, terms);
    for (const term of terms) this.#add(term, userId);
  }

  /** Returns the users with a keyword that occurs in a message, sorted by id. */
  usersIn(content: string): string[] {
    if (this.#size === 0) return [];
    const text = spaced(searchText(content));
    const found = new Set<string>();
    let left = MAX_LOOKUPS;
    for (let at = 1; at < text.length && left > 0; at++) {
      if (text[at] === ' ' || !isStart(text, at)) continue;
      const lengths = this.#lengths.get(text.slice(at, at + HEAD));
      for (const length of [...short, ...(lengths?.keys() ?? [])]) {
        left--;
        const users = this.#users.get(text.slice(at, at + length));
        if (users && isEnd(text, at + length)) for (const userId of users) found.add(userId);
      }
    }
    return [...found].sort();
  }

  #add(term: string, userId: string): void {
    this.#size++;
    const users = this.#users.get(term);
    if (users) {
      users.add(userId);
      return;
    }
    this.#users.set(term, new Set([userId]));
    if (term.length < HEAD) return;
    const head = term.slice(0, HEAD);
    const lengths = this.#lengths.get(head) ?? new Map<number, number>();
    this.#lengths.set(head, lengths.set(term.length, (lengths.get(term.length) ?? 0) + 1));
  }

  #remove(term: string, userId: string): void {
    this.#size--;
    const users = this.#users.get(term) as Set<string>;
    users.delete(userId);
    if (users.size > 0) return;
    this.#users.delete(term);
    if (term.length < HEAD) return;
    const head = term.slice(0, HEAD);
    const lengths = this.#lengths.get(head) as Map<number, number>;
    const others = (lengths.get(term.length) as number) - 1;
    if (others > 0) lengths.set(term.length, others);
    else lengths.delete(term.length);
    if (lengths.size === 0) this.#lengths.delete(head);
  }
}
