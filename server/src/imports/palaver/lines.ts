import { type Archive, ArchiveRefused } from '../row.ts';
import type { Fields } from './fields.ts';

/** Maximum characters of a line. */
const MAX_LINE = 8_000_000;

/** Streams the rows of a JSON Lines file. Throws ArchiveRefused. */
export async function* linesIn(
  archive: Archive,
  path: string,
): AsyncGenerator<{ row: unknown; number: number }> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  let number = 0;
  const parse = (line: string): unknown => {
    number++;
    try {
      return JSON.parse(line);
    } catch {
      throw new ArchiveRefused(`${path}, line ${number} is not JSON`);
    }
  };
  for await (const piece of await archive.open(path)) {
    try {
      rest += decoder.decode(piece as Buffer, { stream: true });
    } catch {
      throw new ArchiveRefused(`${path} is not UTF-8`);
    }
    const lines = rest.split('\n');
    rest = lines.pop() as string;
    if (rest.length > MAX_LINE) throw new ArchiveRefused(`${path}, line ${number + 1} is too long`);
    for (const line of lines) yield { row: parse(line), number };
  }
  if (rest !== '') yield { row: parse(rest), number };
}

/**
 * The inner side of a merge join. Reads rows that are sorted by the id of the row they belong to, and returns
 * the rows for a given id.
 */
export class Ahead {
  readonly #rows: AsyncIterator<Fields>;
  readonly #key: string;
  #next: Fields | undefined;
  #hasEnded = false;

  /** @param key The field with the id of the row to which a row belongs. */
  constructor(rows: AsyncIterable<Fields>, key: string) {
    this.#rows = rows[Symbol.asyncIterator]();
    this.#key = key;
  }

  async #peek(): Promise<Fields | undefined> {
    if (this.#next || this.#hasEnded) return this.#next;
    const { value, done } = await this.#rows.next();
    this.#hasEnded = done === true;
    this.#next = done ? undefined : value;
    return this.#next;
  }

  /**
   * Returns the rows that belong to `id`. Call this with ids in the order of the rows, because each row is
   * read only once.
   */
  async of(id: string): Promise<Fields[]> {
    const found: Fields[] = [];
    for (;;) {
      // Usually, the next row belongs to another id. This avoids a promise in that case.
      const next = this.#next ?? (await this.#peek());
      if (next?.id(this.#key) !== id) return found;
      found.push(next);
      this.#next = undefined;
    }
  }

  async isEmpty(): Promise<boolean> {
    return (await this.#peek()) === undefined;
  }
}
