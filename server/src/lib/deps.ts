import { randomBytes, randomFillSync } from 'node:crypto';
import { UUID } from 'uuidv7';

/** Sources of time, randomness and ids. Tests replace them. */
export interface Deps {
  /**
   * Returns milliseconds since the Unix epoch, from the clock passed to `follow`, or from this machine's
   * clock if there is none. If `shared` is given, returns it: the transaction's time on the clock that
   * processes share (see `Tx.time`).
   */
  now(shared?: number): number;
  /** Returns `size` cryptographically random bytes. */
  randomBytes(size: number): Uint8Array;
  /**
   * Returns a UUIDv7 for the current time, or for `shared` if it is given. Ids are strictly monotonic within
   * a process, even within a millisecond and even if the clock goes back. Clients page forward by cursor, so
   * they would never see a record with a smaller id. With `shared`, ids that several processes create for one
   * server are monotonic, too.
   */
  newId(shared?: number): string;
  /**
   * Follows a clock that processes share. `ahead` returns how many milliseconds that clock is ahead of this
   * machine's.
   */
  follow(ahead: () => number): void;
  /**
   * Makes all later ids greater than this UUIDv7, such as the largest in the data, even if the clock is
   * behind.
   */
  startAfter(id: string): void;
}

/** The smallest and the largest possible id. No row uses either. */
export const FIRST_ID = '00000000-0000-0000-0000-000000000000';
export const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Ticks per millisecond. They fill the 12 bits after the millisecond in a UUIDv7. */
const TICKS_PER_MS = 4096;

/**
 * Creates dependencies with the real clock and real randomness. A test's clock replaces both the wall clock
 * and `shared`.
 */
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

/**
 * Generates monotonic UUIDv7s (RFC 9562, 5.7). The 12 bits after the millisecond contain its fraction (6.2,
 * method 3).
 */
function idGenerator(): { next(at: number): string; startAfter(id: string): void } {
  let millisecond = 0;
  let tick = 0;
  // Random bytes are generated in bulk, because one call per id would take longer than everything else.
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
      // Rows that were inserted by other means may have other UUIDs, without a time.
      if (id[14] !== '7') return;
      if (time < millisecond || (time === millisecond && part <= tick)) return;
      millisecond = time;
      tick = part;
    },
  };
}

const digits = Buffer.from('0123456789abcdef');
/** A reused buffer for the text of an id, including hyphens. */
const text = Buffer.from(FIRST_ID);

/**
 * Formats a UUID as one flat string of 36 characters. `uuidv7` concatenates single characters, which
 * creates 830 bytes of garbage and a rope that is flattened only on first use.
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

/** Returns the time encoded in a UUIDv7, in milliseconds since the Unix epoch (RFC 9562, 5.7). */
export const timeOfId = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);

/** Whether the text is a lowercase UUID, the only form that the API writes and accepts. */
export const isId = (text: string): boolean =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(text);

/**
 * Returns an id that precedes all UUIDv7s of a time, in milliseconds since the Unix epoch, and follows those of
 * earlier times. It is a bound for ranges of ids by time.
 */
export function firstIdAt(time: number): string {
  const hex = Math.min(Math.max(time, 0), 0xffff_ffff_ffff).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** Returns the smallest UUID after an id. `idBefore` returns the greatest one before it. */
export const idAfter = (id: string): string => idBeside(id, 1n);
export const idBefore = (id: string): string => idBeside(id, -1n);

function idBeside(id: string, step: bigint): string {
  const beside = BigInt.asUintN(128, BigInt(`0x${id.replaceAll('-', '')}`) + step);
  const hex = beside.toString(16).padStart(32, '0');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Returns the first columns of a new row: a new id, and its time (in ms) as `createdAt` and `updatedAt`. */
export function newRow(
  { newId }: Pick<Deps, 'newId'>,
  shared?: number,
): { id: string; createdAt: number; updatedAt: number } {
  const id = newId(shared);
  const createdAt = timeOfId(id);
  return { id, createdAt, updatedAt: createdAt };
}
