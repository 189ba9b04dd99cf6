import { Recent } from '../../lib/recent.ts';
import type { Lookup } from '../../lib/text/find.ts';
import type { Reads } from '../contract.ts';
import { Numbers } from './numbers.ts';
import { collect, type Directory, idIn, idsFrom, PAGES_PER_BLOCK, placesOf } from './pages.ts';
import { type Block, pagesOf } from './tables.ts';

/** Thrown if a block has been replaced since its number was read. */
export class Replaced extends Error {}

/** Maximum cached lookups per block, of up to 512 bytes each. */
const MAX_LOOKUPS = 64;

/** The parts of a block that were read. Blocks are immutable, so they never become stale. */
export interface CachedBlock {
  directory: Directory;
  /** The messages found by each lookup, by the lookup's name; null if there are none. */
  lookups: Recent<string, Numbers | null>;
}

/** Recently read blocks. */
export type BlockCache = Recent<number, CachedBlock>;

/** A lookup, with the name under which its result is cached. */
export type Named = Lookup & { name: string };

export const named = (key: string, isBeginning: boolean): Named => ({
  key,
  isBeginning,
  name: (isBeginning ? '*' : '=') + key,
});

/** Reads pages by number. Throws `Replaced` if one is missing. */
export async function readPages(db: Reads, pages: Iterable<number>): Promise<Map<number, Uint8Array>> {
  const wanted = [...new Set(pages)].map((page) => ({ page }));
  const found = new Map<number, Uint8Array>();
  if (wanted.length === 0) return found;
  for (const { page, data } of await db.all(pagesOf(db.dialect, wanted))) {
    if (data === null) throw new Replaced();
    found.set(page, data);
  }
  return found;
}

/** Returns blocks with their directories, most of which are cached. */
export async function cachedOf(
  db: Reads,
  cache: BlockCache,
  blocks: readonly Pick<Block, 'id'>[],
): Promise<CachedBlock[]> {
  // While pages are read, other searches may remove entries from the cache.
  const found = new Map(blocks.map(({ id }) => [id, cache.get(id)]));
  const missing = blocks.filter(({ id }) => !found.get(id)).map(({ id }) => id * PAGES_PER_BLOCK);
  for (const [page, data] of await readPages(db, missing)) {
    const directory = JSON.parse(Buffer.from(data).toString()) as Directory;
    const block = { directory, lookups: new Recent<string, Numbers | null>(MAX_LOOKUPS) };
    found.set(page / PAGES_PER_BLOCK, block);
    cache.set(page / PAGES_PER_BLOCK, block);
  }
  return blocks.map(({ id }) => found.get(id) as CachedBlock);
}

/** Yields the ids of a block's messages, page by page. Throws `Replaced` if the block no longer exists. */
export async function* idsOf(
  db: Reads,
  cache: BlockCache,
  block: Pick<Block, 'id'>,
): AsyncGenerator<string[]> {
  const [{ directory }] = (await cachedOf(db, cache, [block])) as [CachedBlock];
  const first = block.id * PAGES_PER_BLOCK + idsFrom(directory);
  for (const place of directory.ids.keys())
    for (const page of (await readPages(db, [first + place])).values())
      yield Array.from({ length: page.length / 16 }, (_, at) => idIn(page, at));
}

/** A block that may have hits. */
export class Opened {
  readonly id: number;
  readonly directory: Directory;
  /** The messages that may be hits. */
  readonly numbers: Numbers;
  readonly #lookups: CachedBlock['lookups'];
  /** The messages of lookups that were cached or read for this search. */
  readonly #found = new Map<string, Numbers | null>();

  constructor(id: number, { directory, lookups }: CachedBlock) {
    this.id = id;
    this.directory = directory;
    this.#lookups = lookups;
    this.numbers = Numbers.all(directory.messages);
  }

  /** Whether no page has to be read for a lookup. */
  isKnown({ name }: Named): boolean {
    if (this.#found.has(name)) return true;
    const known = this.#lookups.get(name);
    // While pages are read, other searches may remove entries from the cache.
    if (known !== undefined) this.#found.set(name, known);
    return known !== undefined;
  }

  /** Performs a lookup in its pages (`pagesFor`). */
  lookUp(lookup: Named, pages: ReadonlyMap<number, Uint8Array>): void {
    const numbers = new Numbers(this.directory.messages);
    const key = Buffer.from(lookup.key);
    for (const page of pagesFor(this, lookup))
      collect(pages.get(page) as Uint8Array, key, lookup.isBeginning, numbers);
    const found = numbers.isEmpty ? null : numbers;
    this.#lookups.set(lookup.name, found);
    this.#found.set(lookup.name, found);
  }

  /** Keeps the messages that have one of the keys. */
  keep(group: readonly Named[]): void {
    this.numbers.intersect(group.map(({ name }) => this.#found.get(name) ?? null));
  }

  /** Removes the messages that have the key. */
  remove({ name }: Named): void {
    this.numbers.subtract(this.#found.get(name) ?? null);
  }
}

/** Performs lookups in blocks. */
export async function lookUp(db: Reads, blocks: readonly Opened[], lookups: readonly Named[]): Promise<void> {
  const missing = blocks.flatMap((block) =>
    lookups.filter((lookup) => !block.isKnown(lookup)).map((lookup) => ({ block, lookup })),
  );
  const pages = await readPages(
    db,
    missing.flatMap(({ block, lookup }) => pagesFor(block, lookup)),
  );
  for (const { block, lookup } of missing) block.lookUp(lookup, pages);
}

/** Returns the numbers of the pages that may contain a key. */
export function pagesFor(
  { id, directory }: Pick<Opened, 'id' | 'directory'>,
  { key, isBeginning }: Lookup,
): number[] {
  const [first, end] = placesOf(directory, key, isBeginning);
  const from = id * PAGES_PER_BLOCK + 1;
  return Array.from({ length: end - first }, (_, index) => from + first + index);
}
