import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Database, newDatabase } from '../support/databases.ts';
import { type Bouncer, bouncerBinary, startBouncer } from '../support/pgbouncer.ts';
import { call, Stage } from '../support/process.ts';
import { assertFailed, listOf } from '../support/remote.ts';

const skip = !bouncerBinary() && 'no pgbouncer here';
const server = process.env.PALAVER_TEST_DATABASE_URL as string;

let stage: Stage;
let database: Database;
const bouncers: Bouncer[] = [];

async function behind(mode: 'session' | 'transaction' | 'statement'): Promise<string> {
  const bouncer = await startBouncer(server, mode);
  bouncers.push(bouncer);
  return bouncer.urlOf(database.url);
}

describe('a node behind PgBouncer', { skip }, () => {
  before(async () => {
    stage = new Stage();
    database = await newDatabase('empty');
  });
  after(async () => {
    await stage.close();
    for (const bouncer of bouncers) await bouncer.close();
    await database?.drop();
  });

  for (const mode of ['transaction', 'statement'] as const) {
    test(`does not start with pool_mode = ${mode}, and says why in one line`, async () => {
      const DATABASE_URL = await behind(mode);
      const refused = await stage.run(['start', '--port', '0'], {
        DATABASE_URL,
        PALAVER_DATA: stage.folder(),
      });
      assertFailed(refused, /the pooler in front of PostgreSQL shares sessions.*pool_mode = session/);
    });
  }

  test('serves with pool_mode = session and no further settings, alone or next to other nodes', async () => {
    const environment = { DATABASE_URL: await behind('session') };
    const folder = stage.folder();
    const node = await stage.start(folder, { environment });
    const { key, channelId } = node;
    const contents = Array.from({ length: 30 }, (_, number) => `message ${number}`);
    const sent = await Promise.all(
      contents.map((content) =>
        call(node, 'POST', '/api/v1/messages', { key, body: { channelId, content } }),
      ),
    );
    assert.deepEqual(new Set(sent.map(({ status }) => status)), new Set([200]));
    const there = await listOf(node, key, `/api/v1/channels/${channelId}/messages`);
    assert.deepEqual(there.map(({ content }) => content).sort(), contents.sort());
    assert.equal((await call(node, 'GET', '/readyz')).status, 200);

    // The first node holds its own lock.
    const other = await stage.run(['start', '--port', '0'], { ...environment, PALAVER_DATA: folder });
    assertFailed(other, /another node uses this database/);
    assert.equal(await node.end(), 0);
    const next = await stage.start(folder, { environment });
    assert.equal(await next.end(), 0);
  });
});
