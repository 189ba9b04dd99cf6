import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { deflateRows, type RowHead } from '../lib/deflate/rows.ts';

/** The shared prefix of responses to many callers. It is hashed once and compressed once. */
export class SharedPart {
  /** `{"ok":true,"data":{` with the shared fields, and a comma. */
  readonly bytes: Buffer;
  /** The names of these fields. */
  readonly fields: readonly string[];
  #digest: string | undefined;
  #crc: number | undefined;
  #deflated: Promise<Buffer> | undefined;

  /** `shared` is a JSON object with at least one field. */
  constructor(fields: readonly string[], shared: string) {
    this.fields = fields;
    this.bytes = Buffer.from(`{"ok":true,"data":${shared.slice(0, -1)},`);
  }

  get digest(): string {
    this.#digest ??= hash('sha256', this.bytes, 'base64url');
    return this.#digest;
  }

  get crc(): number {
    this.#crc ??= crc32(this.bytes);
    return this.#crc;
  }

  /** Returns the compressed bytes. They are cached, unless `deflate` fails. */
  deflated(deflate: (bytes: Buffer) => Promise<Buffer>): Promise<Buffer> {
    if (this.#deflated) return this.#deflated;
    const deflated = deflate(this.bytes);
    this.#deflated = deflated;
    deflated.catch(() => {
      this.#deflated = undefined;
    });
    return deflated;
  }
}

/** The elements of a long array of a record, which are serialized and compressed without zlib. */
export class RowsPart {
  /** The field with the array. No other field of the record with this name may be an empty array. */
  readonly field: string;
  readonly bytes: Buffer;
  /** The compressed bytes. They end at a byte boundary, like those of `SharedPart`. */
  readonly deflated: Buffer;

  /**
   * Each element's text consists of its head, which starts with a comma, and its cells in `columns`. All
   * texts are ASCII.
   */
  constructor(field: string, heads: readonly RowHead[], columns: readonly (readonly string[])[]) {
    this.field = field;
    let text = '';
    for (let row = 0; row < heads.length; row++) {
      text += row === 0 ? (heads[row] as RowHead).text.slice(1) : (heads[row] as RowHead).text;
      for (const column of columns) text += column[row];
    }
    this.bytes = Buffer.from(text, 'latin1');
    this.deflated = deflateRows(heads, columns);
  }
}

interface JoinedParts {
  /** The first fields. */
  shared?: SharedPart;
  rows?: RowsPart;
}

/** A record of which some parts are already serialized. */
export class Joined {
  readonly shared: SharedPart | undefined;
  readonly rows: RowsPart | undefined;
  /** All other fields. The field of `rows` is an empty array. */
  readonly rest: object;

  constructor({ shared, rows }: JoinedParts, rest: object) {
    this.shared = shared;
    this.rows = rows;
    this.rest = rest;
  }
}
