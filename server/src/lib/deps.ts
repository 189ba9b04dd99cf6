import { randomBytes, randomFillSync } from 'node:crypto';
import { UUID } from 'uuidv7';

/** What the outside world gives to the program; tests bring their own. */
export interface Deps {
  /**
   * Milliseconds since the Unix epoch, by the wall clock, or by the clock that processes share: `shared`, from the
   * transaction (see `Tx.time`).
   */
  now(shared?: number): number;
  /** `size` random bytes from a cryptographic source. */
  randomBytes(size: number): Uint8Array;
  /**
   * A UUIDv7 of this moment, `shared` if it is given. Those made by one process grow, also within a millisecond and over small
   * clock steps; those made for one server by processes that share a clock grow as well.
   */
  newId(shared?: number): string;
}

/** A clock that is set back by more than this, in milliseconds, is followed; until then identifiers only count on. */
const MAX_STEP_BACK = 10_000;
/** Parts of a millisecond that an identifier tells apart: 12 bits. */
const TICKS = 4096;

/** The real clock and randomness; or the clock of a test, that no other is asked beside. */
export function createDeps(testClock?: () => number): Deps {
  const newId = idGenerator();
  const moment = testClock ?? ((shared?: number) => shared ?? Date.now());
  return {
    now: (shared) => Math.floor(moment(shared)),
    randomBytes: (size) => randomBytes(size),
    newId: (shared) => newId(moment(shared)),
  };
}

/** Makes UUIDv7 (RFC 9562, 5.7) that grow: the 12 bits after the millisecond are its fraction (6.2, method 3). */
function idGenerator(): (at: number) => string {
  let millisecond = 0;
  let tick = 0;
  // Asked for in bulk: a call for each identifier would cost more than all the rest of it.
  const random = new Uint32Array(512);
  let used = random.length;
  return (at) => {
    const now = Math.floor(at);
    const part = Math.floor((at - now) * TICKS);
    if (now > millisecond || now < millisecond - MAX_STEP_BACK || (now === millisecond && part > tick)) {
      millisecond = now;
      tick = part;
    } else if (++tick === TICKS) {
      millisecond++;
      tick = 0;
    }
    if (used === random.length) {
      randomFillSync(random);
      used = 0;
    }
    const high = (random[used++] as number) >>> 2;
    return UUID.fromFieldsV7(millisecond, tick, high, random[used++] as number).toString();
  };
}

/** The moment a UUIDv7 was made, in milliseconds since the Unix epoch (RFC 9562, 5.7). */
export const timeOfId = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);

/** True for an identifier as the API writes them: in lower case. No other names anything. */
export const isId = (text: string): boolean =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(text);

/** The smallest UUIDv7 text of a millisecond: a bound for ranges of identifiers by time. */
export function firstIdAt(time: number): string {
  const hex = Math.min(Math.max(time, 0), 0xffff_ffff_ffff).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** What every new row begins with: an identifier, and the moment that it carries as both its times. */
export function newRow(
  { newId }: Pick<Deps, 'newId'>,
  shared?: number,
): { id: string; createdAt: number; updatedAt: number } {
  const id = newId(shared);
  const createdAt = timeOfId(id);
  return { id, createdAt, updatedAt: createdAt };
}
