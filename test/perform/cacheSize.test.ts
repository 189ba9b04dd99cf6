// @run sqlite: tests the cache of the embedded engine
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openSqlite } from '../../server/src/db/sqlite/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'palaver-cache-'));
after(() => rmSync(folder, { recursive: true }));

/** The size of the writer's page cache in kilobytes. */
async function writerCache(cacheMegabytes?: number): Promise<number> {
  const db = openSqlite({ file: join(folder, 'palaver.db'), cacheMegabytes });
  try {
    return -Number(db.connection.scalar('pragma cache_size'));
  } finally {
    await db.close();
  }
}

test('the page caches have the configured size, a third of it for writes', async () => {
  assert.equal(await writerCache(48), 16 * 1024);
});

test("by default, the page caches grow with the machine's memory, within bounds", async () => {
  const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  const expected = Math.min(1_024, Math.max(24, memory / 1024 ** 2 / 256));
  for (const unset of [undefined, 0])
    assert.ok(Math.abs((await writerCache(unset)) - (expected * 1024) / 3) <= 1);
});
