import { encoded } from './pages.ts';

/** A block that is not stored yet. */
export interface NewBlock {
  serverId: string;
  first: string;
  last: string;
  messages: number;
  level: number;
  pages: Uint8Array[];
}

/**
 * Maximum messages and keys per block. With more, a block would take too long to sort; with fewer, searches
 * would have to read more blocks.
 */
export const MAX_MESSAGES = 4_096;
const MAX_KEYS = 20_000;

/** A message with its keys. */
export interface Keyed {
  id: string;
  keys: Iterable<string>;
}

/**
 * Builds the blocks of a server's messages, which must be in id order. Yields after each step, so that the
 * caller can run other tasks.
 */
export function* blocksFrom(serverId: string, messages: Iterable<Keyed>): Generator<undefined, NewBlock[]> {
  const blocks: NewBlock[] = [];
  let ids: string[] = [];
  let numbers = new Map<string, number[]>();
  const finish = function* (isFull: boolean) {
    if (ids.length === 0) return;
    const pages = yield* encoded(ids, numbers);
    const [first = '', last = ''] = [ids[0], ids.at(-1)];
    const level = isFull ? LAST_LEVEL : levelOf(ids.length);
    blocks.push({ serverId, first, last, messages: ids.length, level, pages });
    ids = [];
    numbers = new Map();
  };
  for (const { id, keys } of messages) {
    const number = ids.push(id) - 1;
    for (const key of keys) {
      const others = numbers.get(key);
      if (others) others.push(number);
      else numbers.set(key, [number]);
    }
    if (ids.length >= MAX_MESSAGES || numbers.size >= MAX_KEYS) yield* finish(true);
    else yield;
  }
  yield* finish(false);
  return blocks;
}

/** Once a server has this many blocks of one level, they are merged. */
export const FAN_IN = 16;
/** The level of full blocks. */
export const LAST_LEVEL = 3;
/** Returns the level of a block: 0 for fewer than 16 messages, and one more for each factor of 16. */
const levelOf = (messages: number): number => Math.min(LAST_LEVEL - 1, Math.floor(Math.log2(messages) / 4));
