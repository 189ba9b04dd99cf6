import type { Numbers } from './numbers.ts';

/**
 * The format of the message index (docs/decisions/0009). A block is an inverted index of up to 4,096 messages
 * of one server, numbered in the order of their ids. For each key, it contains a posting list: the numbers of
 * the messages with that key, run-length encoded. A block consists of pages of about 1,800 bytes, so that a
 * row fits into a page of SQLite and PostgreSQL does not move it out of line. Blocks are immutable: a block
 * is replaced instead of changed.
 *
 * - Page 0 is the directory.
 * - The next pages contain the keys in order. Each key is stored as the number of bytes that it shares with
 *   the previous key, its other bytes, and its posting list.
 * - The last pages contain the ids of the messages, at 16 bytes each.
 */

/** The ids of the pages of block `n` start at `n * PAGES_PER_BLOCK`. */
export const PAGES_PER_BLOCK = 65_536;
const PAGE_BYTES = 1_800;
/** Ids per page. */
export const IDS = 112;

export interface Directory {
  /** The first key of each page of keys. */
  keys: string[];
  /** The first id of each page of ids. */
  ids: string[];
  messages: number;
}

/** Collects the bytes of a page. */
class Writer {
  #bytes = Buffer.allocUnsafe(4_096);
  length = 0;

  number(value: number): void {
    this.#reserve(5);
    let rest = value;
    while (rest > 127) {
      this.#bytes[this.length++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    this.#bytes[this.length++] = rest;
  }

  bytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    // A loop is faster than `set` for the few bytes of a key.
    for (let at = 0; at < bytes.length; at++) this.#bytes[this.length++] = bytes[at] as number;
  }

  get written(): Uint8Array {
    return this.#bytes.subarray(0, this.length);
  }

  take(): Uint8Array {
    const bytes = Buffer.from(this.#bytes.subarray(0, this.length));
    this.length = 0;
    return bytes;
  }

  #reserve(more: number): void {
    if (this.length + more <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafe(2 * (this.length + more));
    grown.set(this.#bytes.subarray(0, this.length));
    this.#bytes = grown;
  }
}

const bytesOf = (id: string): Uint8Array => Buffer.from(id.replaceAll('-', ''), 'hex');

/** Returns the id at a position in a page of ids. */
export function idIn(page: Uint8Array, place: number): string {
  const hex = Buffer.from(page.buffer, page.byteOffset + 16 * place, 16).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Number of keys to encode between two yields, which takes about a millisecond. */
const KEYS_PER_STEP = 1_000;

/**
 * Encodes a block as its pages, in order. `ids` and the numbers of each key must be sorted. Yields
 * after each step.
 */
export function* encoded(
  ids: readonly string[],
  numbers: ReadonlyMap<string, readonly number[]>,
): Generator<undefined, Uint8Array[]> {
  const directory: Directory = { keys: [], ids: [], messages: ids.length };
  const pages: Uint8Array[] = [];
  const page = new Writer();
  const values = new Writer();
  let before: Uint8Array = new Uint8Array();
  const sorted = [...numbers.keys()].sort();
  yield;
  for (const [index, key] of sorted.entries()) {
    const bytes = Buffer.from(key);
    if (page.length === 0) directory.keys.push(key);
    let shared = 0;
    if (page.length > 0)
      while (shared < bytes.length && shared < before.length && bytes[shared] === before[shared]) shared++;
    runs(values, numbers.get(key) as readonly number[]);
    page.number(shared);
    page.number(bytes.length - shared);
    page.bytes(bytes.subarray(shared));
    page.number(values.length);
    page.bytes(values.written);
    values.length = 0;
    before = bytes;
    if (page.length >= PAGE_BYTES) pages.push(page.take());
    if (index % KEYS_PER_STEP === 0) yield;
  }
  if (page.length > 0) pages.push(page.take());
  for (let at = 0; at < ids.length; at += IDS) {
    const some = ids.slice(at, at + IDS);
    directory.ids.push(some[0] as string);
    pages.push(Buffer.concat(some.map(bytesOf)));
  }
  yield;
  return [Buffer.from(JSON.stringify(directory)), ...pages];
}

/**
 * Writes a posting list, run-length encoded. A run starts with twice its distance from the previous run, plus
 * one if its length follows.
 */
function runs(writer: Writer, numbers: readonly number[]): void {
  let end = 0;
  for (let index = 0; index < numbers.length; ) {
    const first = numbers[index] as number;
    let length = 1;
    while (numbers[index + length] === first + length) length++;
    const gap = 2 * (first - end);
    writer.number(length > 1 ? gap + 1 : gap);
    if (length > 1) writer.number(length);
    end = first + length;
    index += length;
  }
}

/** Reads the entries of a page of keys. */
class Reader {
  readonly #page: Uint8Array;
  #at = 0;
  /**
   * The number of bytes that the current key shares with the previous key, and the offset and number of its
   * remaining bytes.
   */
  shared = 0;
  rest = 0;
  length = 0;
  #end = 0;

  constructor(page: Uint8Array) {
    this.#page = page;
  }

  #number(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.#page[this.#at++] as number;
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
  }

  /** Advances to the next key. Returns false at the end. */
  next(): boolean {
    this.#at = this.#end;
    if (this.#at >= this.#page.length) return false;
    this.shared = this.#number();
    this.length = this.#number();
    this.rest = this.#at;
    this.#at += this.length;
    const size = this.#number();
    this.#end = this.#at + size;
    return true;
  }

  /** Adds the messages of the current key. */
  addTo(found: Numbers): void {
    for (let last = 0; this.#at < this.#end; ) {
      const run = this.#number();
      const length = run & 1 ? this.#number() : 1;
      const first = last + (run >>> 1);
      for (last = first; last < first + length; last++) found.add(last);
    }
  }
}

/** Adds the messages of a page's keys that equal `key` or start with it. */
export function collect(page: Uint8Array, key: Uint8Array, isBeginning: boolean, found: Numbers): void {
  const reader = new Reader(page);
  /** The number of bytes of `key` that match the start of the current key. */
  let same = 0;
  while (reader.next()) {
    const { shared, rest, length } = reader;
    if (shared <= same) {
      same = shared;
      while (same < key.length && same - shared < length && page[rest + same - shared] === key[same]) same++;
    }
    if (same === key.length && (isBeginning || shared + length === key.length)) reader.addTo(found);
  }
}

/** Adds the messages of a page's keys that consist of `prefix` and one of `rests`. All of them are ASCII. */
export function collectAmong(
  page: Uint8Array,
  prefix: string,
  rests: ReadonlySet<string>,
  found: Numbers,
): void {
  const reader = new Reader(page);
  const text = Buffer.from(page.buffer, page.byteOffset, page.length).toString('latin1');
  let key = '';
  while (reader.next()) {
    const { shared, rest, length } = reader;
    key = key.slice(0, shared) + text.slice(rest, rest + length);
    if (key.startsWith(prefix) && rests.has(key.slice(prefix.length))) reader.addTo(found);
  }
}

/**
 * Returns the range of pages that may contain a key, or keys that start with it: the first page, and the page
 * after the last one.
 */
export function placesOf({ keys }: Directory, key: string, isBeginning: boolean): [number, number] {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] as string) <= key) low = middle + 1;
    else high = middle;
  }
  let end = low;
  while (isBeginning && keys[end]?.startsWith(key)) end++;
  return [Math.max(0, low - 1), end];
}

/** Returns the number of the first page of ids. */
export const idsFrom = ({ keys }: Directory): number => 1 + keys.length;

/** Returns the position of the page that may contain an id; 0 if all ids are greater. */
export function placeOfId({ ids }: Directory, id: string): number {
  let place = ids.findIndex((first) => first > id);
  if (place === -1) place = ids.length;
  return Math.max(0, place - 1);
}
