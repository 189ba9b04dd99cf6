import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** How far back a compressed part may refer to earlier bytes (RFC 1951). */
const WINDOW_BYTES = 32 * 1024;

/** The beginning of responses that many callers receive. It is hashed once, and compressed once. */
export class SharedPart {
  /** `{"ok":true,"data":{` with the fields that the callers share, and a comma. */
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

  /** The end of the bytes, to which compressed bytes that follow them may refer. */
  get window(): Buffer {
    return this.bytes.subarray(-WINDOW_BYTES);
  }

  /** The compressed bytes. `deflate` is called once, until it succeeds. */
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

/** A record whose first fields are serialized already, because many callers receive them. */
export class Joined {
  readonly shared: SharedPart;
  /** All other fields. */
  readonly rest: object;

  constructor(shared: SharedPart, rest: object) {
    this.shared = shared;
    this.rest = rest;
  }
}
