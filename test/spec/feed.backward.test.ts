import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Tail } from '../../server/src/feed/tail.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { Scene } from '../support/scene.ts';
import { eventIdOf, find, q } from '../support/sources.ts';
import { type Json, World } from '../support/world.ts';

let world: World;
let scene: Scene;
before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
});
after(() => world.close());

const read = async (query: string, { admin } = scene): Promise<Json> => {
  const answer = await admin.get(`/events?${query}`);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return { ...answer.body, link: answer.headers.get('link') };
};
const numbers = ({ data }: Json): number[] => data.map(({ seq }: Json) => seq);

/** Reads all pages backward from the end. Returns the numbers of their events and the number of pages. */
async function allBackward(filter: string, of = scene): Promise<{ seqs: number[]; pages: number }> {
  const seqs: number[] = [];
  let before = 'latest';
  for (let pages = 1; ; pages++) {
    const page = await read(`${filter}&before=${before}`, of);
    seqs.push(...numbers(page));
    if (page.link === null) return { seqs, pages };
    before = page.nextCursor;
  }
}

test('pages go from the newest event to the oldest without gaps or duplicates', async () => {
  for (let index = 0; index < 20; index++) await scene.message();
  const forward = numbers(await read('limit=100'));
  assert.ok(forward.length >= 40);
  const { seqs, pages } = await allBackward('limit=7');
  assert.deepEqual(seqs, forward.toReversed());
  assert.equal(pages, Math.ceil(forward.length / 7));
  // Events added in the meantime are not on later pages.
  const first = await read('limit=5&before=latest');
  await scene.message();
  const second = await read(`limit=5&before=${first.nextCursor}`);
  assert.deepEqual([...numbers(first), ...numbers(second)], forward.toReversed().slice(0, 10));
  const [{ id, seq }] = first.data;
  assert.equal(numbers(await read(`limit=1&before=${id}`))[0], seq - 1, 'an event id is also a cursor');
});

test('filters apply, and callers get only the events that they can read', async () => {
  const hidden = await scene.channel({ private: true });
  await scene.message({ channelId: hidden.id, content: 'hidden' });
  const { channelId } = await scene.message({ content: 'seen' });
  const reader = await world.client(scene.server, ['canEditData']);
  const page = (await reader.get('/events?limit=100&types=message.created&before=latest')).data;
  assert.equal(page[0].data.content, 'seen');
  assert.ok(!page.some(({ data }: Json) => data.channelId === hidden.id));
  const here = await read(`limit=100&channelId=${channelId}&before=latest`);
  assert.ok(here.data.length >= 2);
  assert.ok(here.data.every(({ data }: Json) => [data.channelId, data.id].includes(channelId)));
});

test('permission changes that a filter leaves out do not use up the page limit', async () => {
  const role = await scene.role();
  const { id } = await scene.message();
  for (let index = 0; index < 12; index++)
    dataOf(await scene.admin.patch(`/roles/${role.id}`, { name: `Name ${index}` }));
  const { data } = await read('limit=1&types=message.created&before=latest');
  assert.deepEqual(
    data.map((event: Json) => event.data.id),
    [id],
  );
});

test('a page includes every event committed before the request', async () => {
  for (let count = 0; count < 20; count++) {
    const { id } = await scene.message();
    const { data } = await read('limit=1&types=message.created&before=latest');
    assert.equal(data[0]?.data.id, id);
  }
});

for (const types of ['', '&types=message.*'])
  test(`a node that lags behind shows no events after a permission change that it has not seen: ${types || 'no filter'}`, async (t) => {
    const own = await Scene.open(world);
    const role = await own.role({ canAdmin: true });
    const client = await world.clientWithRole(own.server, role);
    const { id: channelId } = await own.channel({ private: true });
    await own.message({ channelId, content: 'seen' });
    const contents = async (before: string): Promise<(string | undefined)[]> => {
      const { status, body } = await client.get(`/events?limit=100${types}&before=${before}`);
      if (status === 503) return ['unavailable'];
      assert.equal(status, 200, JSON.stringify(body));
      return body.data
        .filter(({ type }: Json) => type === 'message.created')
        .map(({ data }: Json) => data.content);
    };
    assert.deepEqual(await contents('latest'), ['seen']);
    // Simulates a change notification in transit: the node does not know yet about the lost permission and the new
    // events.
    const { db } = world.data;
    const version = db.authorityVersion();
    const held = [
      t.mock.method(Tail.prototype, 'wake', async () => {}),
      t.mock.method(db, 'authorityVersion', () => version),
      t.mock.method(db, 'authorityHasChanged', () => false),
    ];
    dataOf(await own.admin.patch(`/roles/${role.id}`, { canAdmin: false }));
    await own.message({ channelId, content: 'secret' });
    await own.message({ channelId, content: 'last' });
    const rows = await db.read.all(find('event', { logId: own.server.id }));
    const id = eventIdOf(own.server.id, rows.toSorted((one, other) => one.seq - other.seq).at(-1) as never);
    const pages = [await contents('latest'), await contents(id)];
    for (const { mock } of held) mock.restore();
    // The node shows the part that it has read, and rejects a cursor beyond that.
    assert.deepEqual(pages, [['seen'], ['unavailable']]);
    assert.deepEqual(await contents('latest'), []);
  });

test('events far apart in the log are found page by page', async () => {
  const own = await Scene.open(world);
  await own.role({ name: 'Early' });
  const { id: channelId } = await own.channel();
  const { db } = world.data;
  const [latest] = (await db.read.all(find('event', { logId: own.server.id })))
    .toSorted((one, other) => one.seq - other.seq)
    .slice(-1);
  const like = { ...latest, type: 'message.created', channelId, data: '{}' } as Json;
  delete like.ord;
  const from = like.seq + 1;
  for (let first = from; first < from + 20_500; first += 500) {
    const rows = Array.from({ length: 500 }, (_, index) => ({ ...like, seq: first + index }));
    await db.write((tx) => tx.run(q.insertInto('event').values(rows as never)));
  }
  await own.role({ name: 'Late' });
  const { seqs, pages } = await allBackward('limit=100&types=role.*', own);
  assert.equal(pages, 2, 'a page examines about 20,000 events');
  const forward: number[] = [];
  for (let after = ''; ; ) {
    const page = await read(`limit=100&types=role.*${after}`, own);
    forward.push(...numbers(page));
    if (page.link === null) break;
    after = `&after=${page.nextCursor}`;
  }
  assert.deepEqual(seqs, forward.toReversed());
});

test('there are no pages before the oldest kept event', async () => {
  const own = await Scene.open(world);
  await own.message();
  const all = (await read('limit=100', own)).data;
  const { db } = world.data;
  const oldest = all.at(-2).seq;
  await db.write((tx) =>
    tx.run(q.deleteFrom('event').where('logId', '=', own.server.id).where('seq', '<', oldest)),
  );
  assert.deepEqual((await allBackward('limit=100', own)).seqs, [oldest + 1, oldest]);
  for (const { id } of [all[0], all.at(-2)]) {
    const page = await read(`limit=100&before=${id}`, own);
    assert.deepEqual([page.data, page.nextCursor, page.link], [[], id, null]);
  }
});

test('a cursor from another log or history, a combination with after, and a stream are rejected', async () => {
  const other = await Scene.open(world);
  const [theirs] = (await read('limit=1', other)).data;
  assertRefused(
    await scene.admin.get(`/events?before=${theirs.id}`),
    'INVALID_REQUEST',
    'another log',
    'before',
  );
  const [{ id }] = (await read('limit=1&before=latest')).data;
  assertRefused(
    await scene.admin.get(`/events?before=${id}&after=${id}`),
    'INVALID_REQUEST',
    'both',
    'before',
  );
  for (const beside of ['wait=5', 'opening=true'])
    assertRefused(
      await scene.admin.get(`/events?before=latest&${beside}`),
      'INVALID_REQUEST',
      beside,
      'before',
    );
  const stream = await scene.admin.get('/events?before=latest', { accept: 'text/event-stream' });
  assertRefused(stream, 'INVALID_REQUEST', 'a stream', 'before');
  const { db } = world.data;
  await db.write((tx) =>
    tx.run(q.updateTable('event').set({ epoch: 'ffffffffffff' }).where('logId', '=', scene.server.id)),
  );
  assertRefused(await scene.admin.get(`/events?before=${id}`), 'INVALID_REQUEST', 'history', 'before');
});
