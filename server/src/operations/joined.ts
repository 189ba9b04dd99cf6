import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';

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

/** The serialized elements of a long array in a record. */
export interface RowsPart {
  /** The field with the array. No other field of the record with this name may be an empty array. */
  field: string;
  /** The elements, with commas between them. */
  text: string;
}

interface JoinedParts {
  /** The first fields. */
  shared?: SharedPart;
  rows?: RowsPart;
}

/** A record with parts that are already serialized. */
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
