import assert from 'node:assert/strict';
import { nouns } from '../rows/index.ts';
import { type Records, recordsOf, type Watched } from './known.ts';
import { byId } from './shown.ts';
import type { Json } from './world.ts';

/** All records of a server that the API returns. */
export async function snapshotOf(watched: Watched): Promise<Records> {
  const records: Records = new Map();
  for (const { name, all } of nouns) {
    for (const row of (await all?.(watched, records)) ?? []) recordsOf(records, name).set(row.id, row);
  }
  return records;
}

/** Asserts that a follower's records equal those that the API returns. */
export function assertSame(watched: Watched, followed: Records, shown: Records): void {
  for (const { name, all, visible = (row: Json): Json => row } of nouns) {
    if (!all) continue;
    const plain = (records: Records): Json[] =>
      [...recordsOf(records, name).values()]
        .sort(byId)
        .map((row) => visible(row, watched))
        .filter((row) => row !== undefined);
    assert.deepEqual(plain(followed), plain(shown), `${name} of ${watched.server.name}`);
  }
}
