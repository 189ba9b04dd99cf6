import { randomBytes, randomFillSync } from 'node:crypto';
import { UUID } from 'uuidv7';

/** The sources of time, randomness and identifiers. Tests replace them. */
export interface Deps {
  /**
   * Milliseconds since the Unix epoch, by the clock that `follow` names, otherwise by this machine's. Returns `shared`
   * if it is given: the time of the clock that processes share, from the transaction (see `Tx.time`).
   */
  now(shared?: number): number;
  /** `size` random bytes from a cryptographic source. */
  randomBytes(size: number): Uint8Array;
  /**
   * A UUIDv7 of the present, or of `shared` if it is given. The identifiers of one process increase, also within a
   * millisecond. While the clock is behind the last one, they count on from there: an identifier that went back would put
   * its record behind others, where clients that read on from their cursors never look. With `shared`, the identifiers
   * that several processes make for one server increase too.
   */
  newId(shared?: number): string;
  /** Follows a clock that processes share: `ahead` returns the milliseconds that it is ahead of this machine's. */
  follow(ahead: () => number): void;
  /** Makes all later identifiers larger than this UUIDv7, such as the largest of the data, also if the clock is behind. */
  startAfter(id: string): void;
}

/** The smallest and the largest possible identifier. No row has either. */
export const FIRST_ID = '00000000-0000-0000-0000-000000000000';
export const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Fractions of a millisecond in an identifier: 12 bits. */
const TICKS_PER_MS = 4096;

/** The real clock and randomness. A test's clock replaces the wall clock and `shared`. */
export function createDeps(testClock?: () => number): Deps {
  const ids = idGenerator();
  let ahead = () => 0;
  const moment = testClock ?? ((shared?: number) => shared ?? Date.now() + ahead());
  return {
    now: (shared) => Math.floor(moment(shared)),
    randomBytes: (size) => randomBytes(size),
    newId: (shared) => ids.next(moment(shared)),
    follow: (other) => {
      ahead = other;
    },
    startAfter: ids.startAfter,
  };
}

/** Makes increasing UUIDv7 (RFC 9562, 5.7): the 12 bits after the millisecond are its fraction (6.2, method 3). */
function idGenerator(): { next(at: number): string; startAfter(id: string): void } {
  let millisecond = 0;
  let tick = 0;
  // Random bytes are drawn in bulk: a call for each identifier would cost more than all its other steps.
  const random = new Uint32Array(512);
  let used = random.length;
  const next = (at: number): string => {
    const now = Math.floor(at);
    const part = Math.floor((at - now) * TICKS_PER_MS);
    if (now > millisecond || (now === millisecond && part > tick)) {
      millisecond = now;
      tick = part;
    } else if (++tick === TICKS_PER_MS) {
      millisecond++;
      tick = 0;
    }
    if (used === random.length) {
      randomFillSync(random);
      used = 0;
    }
    const high = (random[used++] as number) >>> 2;
    return textOf(UUID.fromFieldsV7(millisecond, tick, high, random[used++] as number).bytes);
  };
  return {
    next,
    startAfter(id) {
      const [time, part] = [timeOfId(id), Number.parseInt(id.slice(15, 18), 16)];
      // Rows that were added by hand may have other identifiers, which say nothing of time.
      if (id[14] !== '7') return;
      if (time < millisecond || (time === millisecond && part <= tick)) return;
      millisecond = time;
      tick = part;
    },
  };
}

const digits = Buffer.from('0123456789abcdef');
/** The text of an identifier that is being made, with its hyphens. */
const text = Buffer.from(FIRST_ID);

/**
 * The text of a UUID: one string of 36 characters. That of `uuidv7` is put together of single characters, which leaves 830 bytes
 * of garbage, and is made one string only when it is used.
 */
function textOf(bytes: Readonly<Uint8Array>): string {
  let place = 0;
  for (let index = 0; index < 16; index++) {
    const byte = bytes[index] as number;
    text[place++] = digits[byte >>> 4] as number;
    text[place++] = digits[byte & 15] as number;
    if (index === 3 || index === 5 || index === 7 || index === 9) place++;
  }
  return text.toString('latin1');
}

/** The time of a UUIDv7, in milliseconds since the Unix epoch (RFC 9562, 5.7). */
export const timeOfId = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);

/** True for a UUID in lower case, the only form in which the API writes and accepts identifiers. */
export const isId = (text: string): boolean =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(text);

/** The smallest UUIDv7 of a millisecond since the Unix epoch: a bound for ranges of identifiers by time. */
export function firstIdAt(time: number): string {
  const hex = Math.min(Math.max(time, 0), 0xffff_ffff_ffff).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** The next possible identifier after `id`, a UUID; and the one before it. */
export const idAfter = (id: string): string => idBeside(id, 1n);
export const idBefore = (id: string): string => idBeside(id, -1n);

function idBeside(id: string, step: bigint): string {
  const beside = BigInt.asUintN(128, BigInt(`0x${id.replaceAll('-', '')}`) + step);
  const hex = beside.toString(16).padStart(32, '0');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** The first columns of a new row: a new identifier, and its time (in ms) as `createdAt` and `updatedAt`. */
export function newRow(
  { newId }: Pick<Deps, 'newId'>,
  shared?: number,
): { id: string; createdAt: number; updatedAt: number } {
  const id = newId(shared);
  const createdAt = timeOfId(id);
  return { id, createdAt, updatedAt: createdAt };
}
