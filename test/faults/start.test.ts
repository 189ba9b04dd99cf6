import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { q } from '../../server/src/db/statements.ts';
import { openData } from '../../server/src/node/data.ts';
import { ask, nameOf } from '../support/databases.ts';
import { call, gone, Stage, until } from '../support/process.ts';
import { jsonOf } from '../support/remote.ts';
import { seeded } from '../support/seeded.ts';

const random = seeded();

const KILLS = 6;
/**
 * The time range for kills after the data is first touched. The migration and the first commit take only a few
 * milliseconds, so the kills are densest at the beginning.
 */
const SPAN_MS = 120;

const stage = new Stage();
after(() => stage.close());

test('a first start killed or stopped at any moment leaves data that the next start can use', async () => {
  for (let kill = 0; kill < KILLS; kill++) {
    const folder = join(stage.folder(), 'data');
    const child = await stage.spawn(['start', '--data', folder, '--port', '0']);
    await touched(folder);
    await sleep(SPAN_MS * (kill / KILLS) ** 3 + random.next());
    // Until the server is ready, a stop is as abrupt as a kill; later it shuts down gracefully.
    const isStopped = kill % 2 === 1;
    child.kill(isStopped ? 'SIGTERM' : 'SIGKILL');
    const code = await gone(child);
    assert.ok(code === null || (isStopped && code === 0), `it exited with ${code}`);
    await assertUsable(folder);
  }
});

test('a first start killed repeatedly in one folder succeeds in the end', async () => {
  const folder = stage.folder();
  for (let kill = 0; kill < KILLS; kill++) {
    const child = await stage.spawn(['start', '--data', folder, '--port', '0']);
    await sleep(100 + random.next() * 300);
    child.kill('SIGKILL');
    assert.equal(await gone(child), null);
  }
  await assertUsable(folder);
});

/** Waits until the first start has created its file, or is connected to its database. */
async function touched(folder: string): Promise<void> {
  const { database } = await stage.place(folder);
  const sessions = 'select 1 from pg_stat_activity where datname = $1';
  const isTouched = database
    ? async () =>
        (await ask(process.env.PALAVER_TEST_DATABASE_URL as string, sessions, [nameOf(database)])).length > 0
    : () => existsSync(join(folder, 'palaver.db'));
  await until(isTouched, 20_000, 1);
}

/** Starts a server and asserts that the data is from exactly one first run. */
async function assertUsable(folder: string): Promise<void> {
  const server = await stage.start(folder);
  assert.equal((await call(server, 'GET', '/readyz')).status, 200);
  assert.equal(await server.end(), 0);
  const place = await stage.place(folder);
  if (!place.database) assert.equal(jsonOf(await stage.run(['doctor', '--data', folder, '--json'])).ok, true);
  const { db } = await openData(place);
  const names = async (table: 'user' | 'server' | 'channel' | 'secret') =>
    (await db.read.all(q.selectFrom(table).select('name'))).map(({ name }) => name);
  assert.deepEqual(await names('user'), ['Admin']);
  assert.deepEqual(await names('server'), ['Palaver']);
  assert.deepEqual(await names('channel'), ['general']);
  assert.deepEqual(await names('secret'), ['First key']);
  await db.close();
}
