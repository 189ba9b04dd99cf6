import { ArchiveRefused } from '../row.ts';
import type { Loose } from './loose.ts';

/** Maximum size of a document, slightly more than MongoDB's limit of 16 MiB. */
const MAX_BYTES = 17 * 2 ** 20;
const MAX_DEPTH = 50;

/** Yields the documents in a `mongodump` dump. Throws ArchiveRefused if one is damaged or too large. */
export async function* documentsOf(bytes: AsyncIterable<Buffer>, name: string): AsyncGenerator<Loose> {
  let kept: Buffer = Buffer.of();
  let waiting: Buffer[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    waiting.push(chunk);
    size += chunk.length;
    if (size < lengthIn(kept, waiting, name)) continue;
    kept = Buffer.concat([kept, ...waiting]);
    waiting = [];
    let start = 0;
    while (kept.length - start >= 4) {
      const length = checked(kept.readInt32LE(start), name);
      if (kept.length - start < length) break;
      yield documentIn(kept.subarray(start, start + length), name);
      start += length;
    }
    kept = kept.subarray(start);
    size = kept.length;
  }
  if (size > 0) throw new ArchiveRefused(`${name} is truncated.`);
}

/** Returns the length of the next document, once its first bytes have arrived. */
const lengthIn = (kept: Buffer, waiting: readonly Buffer[], name: string): number => {
  const start = kept.length >= 4 ? kept : Buffer.concat([kept, ...waiting]);
  return start.length >= 4 ? checked(start.readInt32LE(0), name) : 4;
};

function checked(length: number, name: string): number {
  if (length < 5 || length > MAX_BYTES) throw new ArchiveRefused(`${name} is not a MongoDB dump.`);
  return length;
}

function documentIn(bytes: Buffer, name: string): Loose {
  try {
    return new DocumentReader(bytes).document(0);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ArchiveRefused(`${name} is damaged.`, { cause: error });
  }
}

/**
 * Parses one document. Times become milliseconds, and ids become hexadecimal strings. Throws a RangeError if
 * it would read past the end.
 */
class DocumentReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  document(depth: number): Loose {
    if (depth > MAX_DEPTH) throw new RangeError('too deep');
    const end = this.#at + this.#int32();
    const entries: [string, Loose][] = [];
    for (let type = this.#byte(); type !== 0; type = this.#byte()) {
      const key = this.#name();
      entries.push([key, this.#value(type, depth)]);
    }
    if (this.#at !== end) throw new RangeError('wrong length');
    return Object.fromEntries(entries);
  }

  #value(type: number, depth: number): Loose {
    switch (type) {
      case 1:
        return this.#taken(8).readDoubleLE();
      case 2:
      case 13:
      case 14:
        return this.#text();
      case 3:
        return this.document(depth + 1);
      case 4:
        return Object.values(this.document(depth + 1));
      case 5:
        return void this.#taken(this.#int32() + 1);
      case 7:
        return this.#taken(12).toString('hex');
      case 8:
        return this.#byte() === 1;
      case 9:
      case 18:
        return Number(this.#taken(8).readBigInt64LE());
      case 11:
        return `${this.#name()}${this.#name()}`;
      case 16:
        return this.#int32();
      case 17:
        return void this.#taken(8);
      case 19:
        return void this.#taken(16);
      case 6:
      case 10:
      case 127:
      case 255:
        return null;
      default:
        throw new RangeError('unknown type');
    }
  }

  #taken(length: number): Buffer {
    if (length < 0 || this.#at + length > this.#bytes.length) throw new RangeError('beyond the end');
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  #byte(): number {
    return this.#taken(1)[0] as number;
  }

  #int32(): number {
    return this.#taken(4).readInt32LE();
  }

  #text(): string {
    return this.#taken(this.#int32()).toString('utf8').replace(/\0$/, '');
  }

  #name(): string {
    const end = this.#bytes.indexOf(0, this.#at);
    if (end === -1) throw new RangeError('beyond the end');
    const length = end - this.#at;
    return this.#taken(length + 1).toString('utf8', 0, length);
  }
}
