import { ArchiveRefused } from './row.ts';

/** Ids in one set at most: 512 MB. */
const MOST = 2 ** 25;

/**
 * A set of ids of rows, for finding repetitions: 16 bytes for each id, as it keeps 64 bits of its digest. For ten
 * million ids, the chance that two are taken for one is 1 in 300,000.
 */
export class Seen {
  #slots = new Uint32Array(2 * 1024);
  #size = 0;

  /** Whether an id was added. */
  has(id: string): boolean {
    const [high, low] = partsOfId(id);
    return slotOf(this.#slots, high, low) === undefined;
  }

  /** Adds an id that `idsFor` derived. False if it was there. Throws ArchiveRefused if there are too many. */
  add(id: string): boolean {
    const [high, low] = partsOfId(id);
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

/** Two numbers of 32 bits from the digest in an id. The first is not 0, which marks an empty slot. */
function partsOfId(id: string): [number, number] {
  const high = Number.parseInt(id.slice(28), 16) || 1;
  return [high, Number.parseInt(id.slice(15, 18) + id.slice(20, 23) + id.slice(24, 26), 16)];
}

/** The empty slot for an id. Undefined if the id is there. */
function slotOf(slots: Uint32Array, high: number, low: number): number | undefined {
  const mask = slots.length - 2;
  for (let at = (high ^ low) & mask; ; at = (at + 2) & mask) {
    if (slots[at] === 0) return at;
    if (slots[at] === high && slots[at + 1] === low) return undefined;
  }
}
