import { ArchiveRefused } from './row.ts';

/** Maximum ids per set, which then takes 512 MB. */
const MOST = 2 ** 25;

/**
 * A set of UUIDs for detecting duplicates. It takes 16 to 32 bytes per id, because it stores 64-bit hashes. For
 * ten million ids, the probability of a collision is 1 in 300,000.
 */
export class Seen {
  #slots = new Uint32Array(2 * 1024);
  #size = 0;

  /** Whether the id was added. */
  has(id: string): boolean {
    const [high, low] = hashOf(id);
    return slotOf(this.#slots, high, low) === undefined;
  }

  /** Adds an id. Returns false if it is a duplicate. Throws ArchiveRefused if there are too many. */
  add(id: string): boolean {
    const [high, low] = hashOf(id);
    const slot = slotOf(this.#slots, high, low);
    if (slot === undefined) return false;
    this.#slots[slot] = high;
    this.#slots[slot + 1] = low;
    this.#size++;
    if (this.#size * 4 > this.#slots.length) this.#grow();
    return true;
  }

  #grow(): void {
    if (this.#size > MOST) throw new ArchiveRefused('The archive has too many messages.');
    const slots = new Uint32Array(this.#slots.length * 2);
    for (let at = 0; at < this.#slots.length; at += 2) {
      const high = this.#slots[at] as number;
      const low = this.#slots[at + 1] as number;
      const slot = high === 0 ? undefined : slotOf(slots, high, low);
      if (slot !== undefined) slots.set([high, low], slot);
    }
    this.#slots = slots;
  }
}

/**
 * Hashes an id to two 32-bit numbers. The first is never 0, because 0 marks an empty slot. All bits are used,
 * because ids in Palaver's own exports can be arbitrary, such as a time and a counter.
 */
function hashOf(id: string): [number, number] {
  let high = 0;
  let low = 0;
  for (const [from, to] of words) {
    const word = Number.parseInt(id.slice(from, to), 16);
    high = mixed(high ^ word);
    low = mixed((low + word) ^ 0x9e37_79b9);
  }
  return [high >>> 0 || 1, low >>> 0];
}

/** The positions of the digits between the hyphens of a UUID, at most eight at once. */
const words = [
  [0, 8],
  [9, 13],
  [14, 18],
  [19, 23],
  [24, 28],
  [28, 36],
] as const;

/** Applies the finalizer of MurmurHash3. Each input bit affects about half of the output bits. */
function mixed(number: number): number {
  const first = Math.imul(number ^ (number >>> 16), 0x85eb_ca6b);
  const second = Math.imul(first ^ (first >>> 13), 0xc2b2_ae35);
  return second ^ (second >>> 16);
}

/** Returns the empty slot for an id. Undefined if the id is already in the set. */
function slotOf(slots: Uint32Array, high: number, low: number): number | undefined {
  const mask = slots.length - 2;
  for (let at = (high ^ low) & mask; ; at = (at + 2) & mask) {
    if (slots[at] === 0) return at;
    if (slots[at] === high && slots[at + 1] === low) return undefined;
  }
}
