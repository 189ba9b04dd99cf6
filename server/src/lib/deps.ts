import { randomBytes } from 'node:crypto';
import { V7Generator } from 'uuidv7';

/** What the outside world gives to the program; tests bring their own. */
export interface Deps {
  /** The wall clock, milliseconds since the Unix epoch. */
  now(): number;
  /** `size` random bytes from a cryptographic source. */
  randomBytes(size: number): Uint8Array;
  /** A UUIDv7 of this moment. Those made by one process grow, also within a millisecond and over small clock steps. */
  newId(): string;
}

/** The real clock and randomness, or a test's. */
export function createDeps(now: () => number = Date.now): Deps {
  const generator = new V7Generator();
  return {
    now,
    randomBytes: (size) => randomBytes(size),
    newId: () => generator.generateOrResetCore(now(), 10_000).toString(),
  };
}

/** The moment a UUIDv7 was made, in milliseconds since the Unix epoch (RFC 9562, 5.7). */
export const timeOfId = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);

/** The smallest UUIDv7 text of a millisecond: a bound for ranges of identifiers by time. */
export function firstIdAt(time: number): string {
  const hex = Math.min(Math.max(time, 0), 0xffff_ffff_ffff).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** What every new row begins with: an identifier, and the moment that it carries as both its times. */
export function newRow({ newId }: Pick<Deps, 'newId'>): { id: string; createdAt: number; updatedAt: number } {
  const id = newId();
  const createdAt = timeOfId(id);
  return { id, createdAt, updatedAt: createdAt };
}
