import { ArchiveRefused } from '../row.ts';

/** Maximum bytes of one value, such as a message with its replies. */
const MAX_VALUE_BYTES = 32 * 2 ** 20;
/** Maximum bytes of a file that is read as a whole. */
export const MAX_WHOLE_BYTES = MAX_VALUE_BYTES;
const MAX_DEPTH = 100;

/** A part of a JSON file. */
export interface Part {
  /** The property that contains the part, if the file is an object. */
  key: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: unchecked input
  value: any;
}

const [QUOTE, BACKSLASH, COMMA, COLON, NEWLINE] = [0x22, 0x5c, 0x2c, 0x3a, 0x0a];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const marks: ReadonlySet<number> = new Set([COMMA, COLON, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT]);

/**
 * Streams a JSON file in parts, using constant memory: the elements of an array, or the properties of an
 * object. A property that is an array is split into its elements. `name` is the file name for messages. Throws
 * ArchiveRefused if it is not JSON, or if a part is too large or too deeply nested.
 */
export async function* partsOf(bytes: AsyncIterable<Buffer>, name: string): AsyncGenerator<Part> {
  const scanner = new Scanner(name, false);
  for await (const chunk of bytes) yield* scanner.scan(chunk);
  scanner.end();
}

/** Streams the elements of an array, or concatenated objects, as written by `mongoexport`. */
export async function* valuesOf(bytes: AsyncIterable<Buffer>, name: string): AsyncGenerator<Part['value']> {
  const scanner = new Scanner(name, true);
  for await (const chunk of bytes) for (const { value } of scanner.scan(chunk)) yield value;
  scanner.end();
}

/** Parses a whole JSON file of at most 32 MiB. Throws ArchiveRefused. */
export async function wholeOf(bytes: AsyncIterable<Buffer>, name: string): Promise<Part['value']> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > MAX_WHOLE_BYTES) throw new ArchiveRefused(`${name} is too large.`);
    chunks.push(chunk);
  }
  return parsed(Buffer.concat(chunks), name);
}

/** Parses lines, each a JSON value of at most 32 MiB. Skips empty lines. */
export async function* linesOf(bytes: AsyncIterable<Buffer>, name: string): AsyncGenerator<Part['value']> {
  let kept: Buffer[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      const line = Buffer.concat([...kept, chunk.subarray(start, end)]);
      [kept, size, start] = [[], 0, end + 1];
      if (line.length > 0 && line.toString('utf8').trim() !== '') yield parsed(line, name);
    }
    kept.push(chunk.subarray(start));
    size += chunk.length - start;
    if (size > MAX_VALUE_BYTES) throw new ArchiveRefused(`${name} has a line that is too long.`);
  }
  const last = Buffer.concat(kept);
  if (last.toString('utf8').trim() !== '') yield parsed(last, name);
}

function parsed(bytes: Buffer, name: string): Part['value'] {
  requireDepth(bytes, name);
  try {
    return JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, ''));
  } catch {
    throw new ArchiveRefused(`${name} is not valid JSON.`);
  }
}

/** Limits the depth. V8's parser is iterative, but code that walks the value may be recursive. */
function requireDepth(bytes: Buffer, name: string): void {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (isText) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) isText = true;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      if (++depth > MAX_DEPTH) throw new ArchiveRefused(`${name} is nested too deeply.`);
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth--;
  }
}

/**
 * The state of the scanner: before the value, in the file's array or object, in an array that is a property of
 * that object, between concatenated objects, or after the value.
 */
type Frame = 'start' | 'list' | 'object' | 'inner' | 'whole' | 'end';

/** Splits a file into parts at its structural characters. Only complete parts are parsed. */
class Scanner {
  readonly #name: string;
  readonly #isOfWholes: boolean;
  #frame: Frame = 'start';
  /** The name of the current property, once its colon has been read; otherwise null. */
  #key: string | null = null;
  /** The bytes of the part so far. */
  #kept: Buffer[] = [];
  #size = 0;
  /** The number of arrays and objects open in the part. */
  #depth = 0;
  #isText = false;
  #isEscaped = false;

  constructor(name: string, isOfWholes: boolean) {
    this.#name = name;
    this.#isOfWholes = isOfWholes;
  }

  *scan(chunk: Buffer): Generator<Part> {
    let start = 0;
    for (let at = 0; at < chunk.length; at++) {
      if (this.#isText) at = this.#endOfText(chunk, at);
      const byte = chunk[at] as number;
      if (inert[byte] !== 0) continue;
      if (byte === QUOTE) this.#isText = !this.#isText;
      else if (this.#depth > 0) {
        if (byte === OPEN_LIST || byte === OPEN_OBJECT) this.#deepen();
        else if (
          (byte === CLOSE_LIST || byte === CLOSE_OBJECT) &&
          --this.#depth === 0 &&
          this.#frame === 'whole'
        ) {
          this.#keep(chunk.subarray(start, at + 1));
          start = at + 1;
          yield this.#part();
        }
      } else if (marks.has(byte)) {
        const isBlank = this.#isBlankWith(chunk.subarray(start, at));
        if (this.#isNested(byte, isBlank)) {
          this.#deepen();
          continue;
        }
        this.#keep(chunk.subarray(start, at));
        start = at + 1;
        yield* this.#mark(byte, isBlank);
      }
    }
    this.#keep(chunk.subarray(start));
  }

  /** Returns the position of the quotation mark that ends the string, or the end of the chunk. */
  #endOfText(chunk: Buffer, start: number): number {
    const first = this.#isEscaped ? start + 1 : start;
    this.#isEscaped = false;
    for (let end = first; ; end++) {
      const found = chunk.indexOf(QUOTE, end);
      end = found === -1 ? chunk.length : found;
      let before = end;
      while (before > first && chunk[before - 1] === BACKSLASH) before--;
      const isEscaped = (end - before) % 2 === 1;
      if (found === -1) this.#isEscaped = isEscaped;
      if (found === -1 || !isEscaped) return end;
    }
  }

  end(): void {
    const isComplete = this.#frame === 'end' || (this.#frame === 'whole' && this.#depth === 0);
    if (!isComplete || !this.#isBlankWith(Buffer.of()))
      throw new ArchiveRefused(`${this.#name} is not complete JSON.`);
  }

  /** Whether a bracket opens an array or object that belongs to the part. */
  #isNested(byte: number, isBlank: boolean): boolean {
    if (byte !== OPEN_LIST && byte !== OPEN_OBJECT) return false;
    if (!isBlank) return this.#refuse();
    if (this.#frame === 'start' && byte === OPEN_OBJECT && this.#isOfWholes) this.#frame = 'whole';
    return this.#frame === 'list' || this.#frame === 'inner' || this.#frame === 'whole'
      ? true
      : this.#frame === 'object' && this.#key !== null && byte === OPEN_OBJECT;
  }

  /** Handles a structural character outside strings and nested values. */
  *#mark(byte: number, isBlank: boolean): Generator<Part> {
    const frame = this.#frame;
    if (frame === 'start' && isBlank && (byte === OPEN_LIST || byte === OPEN_OBJECT)) {
      this.#frame = byte === OPEN_LIST ? 'list' : 'object';
    } else if (frame === 'object' && this.#key === null) {
      if (byte === COLON) this.#key = String(this.#part().value);
      else if (!isBlank || (byte !== COMMA && byte !== CLOSE_OBJECT)) this.#refuse();
      if (byte === CLOSE_OBJECT) this.#frame = 'end';
      this.#clear();
    } else if (frame === 'object' && byte === OPEN_LIST) {
      this.#frame = 'inner';
      this.#clear();
    } else if (frame === 'object' && (byte === COMMA || byte === CLOSE_OBJECT)) {
      yield this.#part();
      this.#key = null;
      if (byte === CLOSE_OBJECT) this.#frame = 'end';
    } else if ((frame === 'list' || frame === 'inner') && (byte === COMMA || byte === CLOSE_LIST)) {
      if (!isBlank || byte === COMMA) yield this.#part();
      this.#clear();
      if (byte === CLOSE_LIST) {
        this.#frame = frame === 'list' ? 'end' : 'object';
        this.#key = null;
      }
    } else this.#refuse();
    if (frame === 'start') this.#clear();
  }

  #deepen(): void {
    if (++this.#depth > MAX_DEPTH) throw new ArchiveRefused(`${this.#name} is nested too deeply.`);
  }

  #keep(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#size += bytes.length;
    if (this.#size > MAX_VALUE_BYTES)
      throw new ArchiveRefused(`${this.#name} has a value that is too large.`);
    this.#kept.push(bytes);
  }

  #clear(): void {
    this.#kept = [];
    this.#size = 0;
  }

  #isBlankWith(more: Buffer): boolean {
    return this.#kept.every(isBlank) && isBlank(more);
  }

  #part(): Part {
    const text = Buffer.concat(this.#kept).toString('utf8');
    this.#clear();
    try {
      return { key: this.#key, value: JSON.parse(text) };
    } catch {
      return this.#refuse();
    }
  }

  #refuse(): never {
    throw new ArchiveRefused(`${this.#name} is not valid JSON.`);
  }
}

/** A table with 1 for each byte that has no meaning outside strings. */
const inert = Uint8Array.from({ length: 256 }, (_, byte) => (byte === QUOTE || marks.has(byte) ? 0 : 1));

/** Whether the bytes are only whitespace or a byte order mark. */
const isBlank = (bytes: Buffer): boolean =>
  bytes.every((byte) => byte <= 0x20 || byte === 0xef || byte === 0xbb || byte === 0xbf);
