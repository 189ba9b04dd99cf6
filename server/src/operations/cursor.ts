import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import { invalid } from '../errors.ts';
import type { Position } from './operation.ts';

const TAG_BYTES = 16;

/**
 * Cursors: the sort key of the last record of a page, under an authentication code that also covers the list and its
 * filters, so that one that was altered or belongs elsewhere is refused (decisions, part 4).
 */
export class Cursors {
  readonly #key: KeyObject;

  constructor(key: Uint8Array) {
    this.#key = createSecretKey(key);
  }

  encode(scope: string, position: Position): string {
    const payload = Buffer.from(JSON.stringify(position));
    return Buffer.concat([this.#tag(scope, payload), payload]).toString('base64url');
  }

  /** Throws INVALID_REQUEST. */
  decode(scope: string, cursor: string): Position {
    const bytes = Buffer.from(cursor, 'base64url');
    const payload = bytes.subarray(TAG_BYTES);
    const genuine =
      bytes.length > TAG_BYTES &&
      bytes.toString('base64url') === cursor &&
      timingSafeEqual(bytes.subarray(0, TAG_BYTES), this.#tag(scope, payload));
    if (!genuine) throw invalid('cursor', 'is not one that this list gave: leave it out to start over');
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

/** What a cursor belongs to: the list's path, and those of its filters that are set, in one order. */
export function scopeOf(path: string, query: Record<string, unknown>, filters: readonly string[]): string {
  const set = filters.filter((name) => query[name] !== undefined).sort();
  return JSON.stringify([path, ...set.map((name) => [name, query[name]])]);
}
