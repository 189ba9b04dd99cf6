import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import { invalid } from '../errors.ts';
import type { Position } from './operation.ts';

const TAG_BYTES = 16;

/**
 * Cursors for lists (decisions, part 4). A cursor is the base64url encoding of a tag, followed by the sort
 * key of the page's last record as JSON. The tag is the start of an HMAC-SHA256 over the list, its filters
 * and the sort key, so a modified cursor or a cursor from another list is rejected.
 */
export class Cursors {
  readonly #key: KeyObject;

  constructor(key: Uint8Array) {
    this.#key = createSecretKey(key);
  }

  /** Creates a cursor for the list that has this scope (`scopeOf`). */
  encode(scope: string, position: Position): string {
    const payload = Buffer.from(JSON.stringify(position));
    return Buffer.concat([this.#tag(scope, payload), payload]).toString('base64url');
  }

  /** Decodes a cursor. Throws INVALID_REQUEST unless it was created for this scope. */
  decode(scope: string, cursor: string): Position {
    const bytes = Buffer.from(cursor, 'base64url');
    const payload = bytes.subarray(TAG_BYTES);
    const genuine =
      bytes.length > TAG_BYTES &&
      bytes.toString('base64url') === cursor &&
      timingSafeEqual(bytes.subarray(0, TAG_BYTES), this.#tag(scope, payload));
    if (!genuine)
      throw invalid('bad_cursor', 'cursor', 'is not a cursor of this list. Omit it to start over');
    return JSON.parse(payload.toString()) as Position;
  }

  #tag(scope: string, payload: Uint8Array): Buffer {
    return createHmac('sha256', this.#key)
      .update(scope)
      .update('\n')
      .update(payload)
      .digest()
      .subarray(0, TAG_BYTES);
  }
}

/**
 * Returns the scope of a list's cursors: its path and the filters that are set, in alphabetical order. A
 * cursor works for pages of any size.
 */
export function scopeOf(path: string, query: Record<string, unknown>, filters: readonly string[]): string {
  const set = filters.filter((name) => name !== 'limit' && query[name] !== undefined).sort();
  return JSON.stringify([path, ...set.map((name) => [name, query[name]])]);
}
