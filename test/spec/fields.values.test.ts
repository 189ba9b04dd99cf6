import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import {
  bodies,
  inserts,
  pathOf,
  reads,
  removals,
  requestOf,
  sampled,
  updates,
  type WriteRow,
  withQuery,
} from '../rows/index.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { fieldsOf, sampleOf } from '../support/fields.ts';
import { logOf } from '../support/log.ts';
import { Scene } from '../support/scene.ts';
import { type Json, TestClock, World } from '../support/world.ts';

/** The clock does not move, so updatedAt only increases if the server ensures it. */
const clock = new TestClock();
let world: World;
let scene: Scene;
before(async () => {
  world = await World.open({ clock });
  scene = await Scene.open(world);
});
after(() => world.close());

/** Updates that always change something: renewing an indicator sets a time. */
const renewing = ['indicatorUpdate'];

/** The read that returns a single record. Some nouns have none. */
const readOf = ({ noun }: WriteRow) => noun.reads.find(({ name }) => name === `${noun.name}ById`);

for (const { name: operation, row, ready, fields } of bodies.filter(({ row }) => row.method === 'PATCH')) {
  test(`${operation}: an update changes the given field and no others, and null clears it`, async () => {
    const { id, body } = await ready(scene);
    const item = pathOf(row, id);
    const read = async (answered: Json): Promise<Json> => {
      const found = readOf(row);
      return found ? dataOf(await scene.admin.get(pathOf(found, id))) : answered;
    };
    let before = await read(dataOf(await scene.admin.patch(item, body ?? {})));
    for (const { name, kind, nullable } of fieldsOf(fields)) {
      // Only agents send blocks: see spec/blocks.
      if (kind === 'action' || kind === 'blocks') continue;
      const value = kind === 'reference' ? await referenceFor(name) : sampleOf(kind);
      // This caller cannot set some fields, which have no sample.
      const values = value === undefined ? [] : [value];
      for (const next of nullable ? [...values, null] : values) {
        const now = await read(dataOf(await scene.admin.patch(item, { ...body, [name]: next }), name));
        assert.deepEqual(now[name], next, name);
        const isChange = !isDeepStrictEqual(before[name], next) || renewing.includes(operation);
        assert.equal(now.updatedAt > before.updatedAt, isChange, `${name}: updatedAt increases`);
        assert.equal(now.createdAt, before.createdAt);
        const { [name]: _now, updatedAt: _updatedAt, editedAt: _editedAt, ...rest } = now;
        for (const [other, unchanged] of Object.entries(rest)) {
          // Renewing an indicator sets lastActiveAt to now.
          if (other !== 'lastActiveAt') assert.deepEqual(unchanged, before[other], `${name} leaves ${other}`);
        }
        before = now;
      }
    }
  });
}

async function patched(item: string, body: Json): Promise<{ data: Json; createdAt: number }> {
  const data = dataOf(await scene.admin.patch(item, body));
  return { data, createdAt: data.createdAt };
}

const eventsIn = async (serverId: string): Promise<number> => (await logOf(world, serverId)).length;

const referenceFor = async (name: string): Promise<string> => {
  if (name === 'serverId') return scene.server.id;
  if (name === 'categoryId') return (await scene.category()).id;
  return (await (name === 'channelId' ? scene.channel() : scene.thread())).id;
};

/** Inserts whose response is not the row. */
const withoutRow = ['messageAppend'];

for (const operation of inserts.filter(({ name, removes }) => !removes && !withoutRow.includes(name))) {
  test(`${operation.name}: updatedAt equals createdAt unless the row existed before`, async () => {
    const { id, body } = await requestOf(operation, scene);
    const data = dataOf(await scene.admin.post(pathOf(operation, id), body));
    if (operation.changes) assert.ok(data.updatedAt > data.createdAt);
    else assert.equal(data.updatedAt, data.createdAt);
  });
}

for (const operation of updates) {
  test(`${operation.name}: an update that changes nothing returns the record and emits nothing; an id in the body must match the path`, async () => {
    const { id, body } = await requestOf(operation, scene);
    const item = pathOf(operation, id);
    const { data: first, createdAt } = await patched(item, body ?? {});
    const events = await eventsIn(scene.server.id);
    let last = first.updatedAt;
    for (const extra of [{}, { id }, {}]) {
      const answer = await scene.admin.patch(item, { ...body, ...extra });
      const { updatedAt } = dataOf(answer);
      if (renewing.includes(operation.name)) assert.ok(updatedAt > last && updatedAt > createdAt);
      else assert.deepEqual(dataOf(answer), first);
      assert.equal(answer.headers.get('ignored-parameters'), null);
      last = updatedAt;
    }
    assert.equal(await eventsIn(scene.server.id), events);
    for (const wrong of ['0193a5f0-7b1c-7d2e-8f3a-4b5c6d7e8f90', 5, null, {}, '']) {
      const answer = await scene.admin.patch(item, { ...body, id: wrong });
      assertRefused(answer, 'INVALID_REQUEST', JSON.stringify(wrong), 'id');
    }
  });
}

// Users remove their own picture at a path without an id.
for (const operation of removals.filter(({ path }) => path.includes(':'))) {
  test(`${operation.name}: an id in the body must match the path; the body may be missing or empty`, async () => {
    const { id } = await requestOf(operation, scene);
    const item = pathOf(operation, id);
    for (const wrong of ['0193a5f0-7b1c-7d2e-8f3a-4b5c6d7e8f90', 5, null, {}, '']) {
      const answer = await scene.admin.delete(item, { id: wrong });
      assertRefused(answer, 'INVALID_REQUEST', JSON.stringify(wrong), 'id');
    }
    const answer = await scene.admin.delete(item, { id, contnet: 1 });
    assert.equal(dataOf(answer).id, id);
    assert.equal(answer.headers.get('ignored-parameters'), 'contnet');
    assertRefused(await scene.admin.delete(item, { id }), 'NOT_FOUND', 'again');

    const second = await requestOf(operation, scene);
    const emptyJson = { authorization: `Bearer ${scene.admin.key}`, 'content-type': 'application/json' };
    const empty = await world.request('DELETE', pathOf(operation, second.id), { headers: emptyJson });
    assert.equal(dataOf(empty).id, second.id);
  });
}

test('read-only fields are ignored and reported', async () => {
  const own = { id: 'mine', createdAt: 1, updatedAt: 1, creatorId: 'me' };
  const answer = await scene.admin.post('/channels', { name: world.unique(), ...own });
  const made = dataOf(answer);
  assert.notEqual(made.id, 'mine');
  assert.notEqual(made.createdAt, 1);
  assert.equal(made.creatorId, scene.owner.id);
  assert.equal(answer.headers.get('ignored-parameters'), 'id, createdAt, updatedAt, creatorId');
  const typed = await scene.admin.post('/apps', { type: 'bot' });
  assert.equal(typed.headers.get('ignored-parameters'), 'type');
  assert.equal(dataOf(await scene.admin.get(`/apps/${dataOf(typed).id}`)).type, null);
});

test('unknown query parameters and unknown body fields are reported together', async () => {
  const answer = await scene.admin.post('/channels?foo=1&bar=2', { name: world.unique(), contnet: 1 });
  dataOf(answer);
  assert.deepEqual(answer.headers.get('ignored-parameters')?.split(', ').sort(), ['bar', 'contnet', 'foo']);
});

for (const operation of sampled(reads, ({ noun }) => noun)) {
  test(`${operation.name}: unknown query parameters are ignored and reported`, async () => {
    const { id } = await requestOf(operation, scene);
    const answer = await scene.admin.get(withQuery(pathOf(operation, id), 'contnet=1&foo=2'));
    dataOf(answer);
    assert.equal(answer.headers.get('ignored-parameters'), 'contnet, foo');
  });
}

test('text is returned exactly as sent', async () => {
  const { id: channelId } = await scene.channel();
  for (const content of [
    ' a ',
    'e\u0301 is not \u00e9',
    '👩‍👩‍👧‍👦 \u202e\u200b\ufeff',
    `"\\'; drop table message; --`,
    '<b>&amp;</b>',
    'a\u0001\u001f\u007f\u2028\u2029',
    '{"a":1}',
    '𝒳\uffff',
    '%00 \\u0000',
  ]) {
    const sent = await scene.message({ channelId, content });
    assert.equal(sent.content, content);
    assert.equal(dataOf(await scene.admin.get(`/messages/${sent.id}`)).content, content);
    const [first] = dataOf(await scene.admin.get(`/channels/${channelId}/messages?limit=1`));
    assert.equal(first.content, content);
  }
});
