import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Scene } from '../support/scene.ts';
import { q } from '../support/sources.ts';
import { type Json, World } from '../support/world.ts';

const LARGE = 'x'.repeat(200_000);

let world: World;
let scene: Scene;
before(async () => {
  world = await World.open({ quotas: { metaBytes: 0 } });
  scene = await Scene.open(world);
});
after(() => world.close());

/** The total size of the server's events in characters. */
async function logSize(): Promise<number> {
  const rows = await world.data.db.read.all(
    q.selectFrom('event').select('data').where('logId', '=', scene.server.id),
  );
  return rows.reduce((sum, { data }) => sum + data.length, 0);
}

/** All events after a cursor: a page ends at about 1 MB. */
async function eventsAfter(cursor: string): Promise<Json[]> {
  const events: Json[] = [];
  for (let after = cursor; ; ) {
    const { data, body } = await scene.admin.get(`/events?limit=100&after=${after}`);
    if (data.length === 0) return events;
    events.push(...data);
    after = body.nextCursor;
  }
}

test('small changes to a large app do not store the whole app in the log, but their events show all of it', async () => {
  const app = await scene.app({ meta: [LARGE] });
  await scene.install(app.id);
  const before = await logSize();
  const cursor = await scene.cursor();
  for (let index = 0; index < 20; index++) {
    assert.equal((await scene.admin.patch(`/apps/${app.id}`, { name: `app ${index}` })).status, 200);
  }
  assert.ok((await logSize()) - before < 100_000, 'forty events about a large app');
  const shown = (await scene.admin.get(`/apps/${app.id}`)).data;
  for (const from of [cursor, await scene.cursor()]) {
    for (const { type, data } of await eventsAfter(from)) {
      assert.deepEqual((type === 'app.updated' ? data : data.app).meta, shown.meta, type);
    }
  }
  const last = (await eventsAfter(cursor)).findLast(({ type }) => type === 'app.updated');
  assert.deepEqual(last.data, shown);
});

test('an event shows the current version of a large meta; once the app is deleted, only the deletion event shows it', async () => {
  const app = await scene.app({ meta: [LARGE] });
  const cursor = await scene.cursor();
  await scene.admin.patch(`/apps/${app.id}`, { name: 'changed' });
  const large = { other: `${LARGE}y` };
  await scene.admin.patch(`/apps/${app.id}`, { meta: large });
  const metas = async () => (await eventsAfter(cursor)).map(({ data }) => data.meta);
  const [, second] = await metas();
  assert.deepEqual(second, large);
  await scene.admin.patch(`/apps/${app.id}`, { meta: 'small' });
  assert.equal((await metas()).at(-1), 'small');
  await scene.admin.delete(`/apps/${app.id}`);
  const told = await eventsAfter(cursor);
  assert.equal(told.at(-1).type, 'app.deleted');
  assert.equal(told.at(-1).data.meta, 'small');
});
