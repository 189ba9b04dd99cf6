// @run sqlite: tests when the embedded engine measures records before it reads them
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { JsonRows, Runnable } from '../../server/src/db/contract.ts';
import type { SqliteConnection } from '../../server/src/db/sqlite/connection.ts';
import { readingOf } from '../../server/src/db/sqlite/reader.ts';
import { Shares } from '../../server/src/lib/shares.ts';

const LIMIT = 50;
const small: JsonRows = { json: new Uint8Array(50_000), count: LIMIT, beyond: 'next' };
const cut: JsonRows = { json: new Uint8Array(1_000_000), count: 3, beyond: 'next' };

/** Requests a tenant's pages concurrently, and returns which of them were measured. */
function pagesOf(pages: JsonRows[]) {
  const measured: boolean[] = [];
  const connection = {
    json(_query: unknown, _key: string, _order: string, _limit: number, options: { isLarge?: boolean }) {
      measured.push(options.isLarge ?? false);
      return pages.shift() as JsonRows;
    },
  } as unknown as SqliteConnection;
  const readFor = readingOf(connection, {
    runInTurn: (_tenant, task) => task(),
    shares: new Shares(),
    durable: (result) => result,
    onSearch() {},
    searching: {} as never,
  });
  return async (tenant: string, amount: number) => {
    measured.length = 0;
    const read = () => readFor(tenant).json({} as Runnable<unknown>, 'id', 'desc', LIMIT);
    await Promise.all(Array.from({ length: amount }, read));
    await turn();
    return [...measured];
  };
}

test('small pages are never measured, regardless of how many a tenant requests at once', async () => {
  const read = pagesOf(Array(40).fill(small));
  assert.deepEqual(await read('one', 40), Array(40).fill(false));
});

test("after a page that was cut short, the tenant's next 100 pages beyond its share are measured", async () => {
  const read = pagesOf([cut, ...Array(200).fill(small)]);
  const measured = await read('one', 120);
  assert.equal(measured[0], false, 'the first page is within the share');
  assert.deepEqual(measured.slice(1, 101), Array(100).fill(true));
  assert.ok(
    !measured.slice(101).includes(true),
    'no page is measured again, because no other one was cut short',
  );
  assert.ok(!(await read('two', 40)).includes(true), "other tenants' pages are not measured");
});

test('each page that is cut short extends the period in which pages are measured', async () => {
  const read = pagesOf([cut, ...Array(120).fill(cut), small]);
  assert.deepEqual(await read('one', 121), [false, ...Array(120).fill(true)]);
});
