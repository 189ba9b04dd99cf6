import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertRefused, dataOf, idsOf } from '../support/expect.ts';
import { Scene } from '../support/scene.ts';
import { World } from '../support/world.ts';

let world: World;
let scene: Scene;
before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
});
after(() => world.close());

test('threadWithMessages: oldest first; after 1,000 replies there is a cursor', async () => {
  const { id } = await scene.thread();
  const path = `/threads/${id}`;
  const send = () => scene.message({ threadId: id, content: 'Reply' });
  for (let batch = 0; batch < 10; batch++) await Promise.all(Array.from({ length: 100 }, send));
  const whole = await scene.admin.get(path);
  assert.equal(dataOf(whole).messages.length, 1000);
  assert.equal(whole.data.nextCursor, null);
  assert.equal(whole.headers.get('link'), null);
  assert.deepEqual(idsOf(whole.data.messages), idsOf(whole.data.messages).sort());

  const extra = [(await send()).id, (await send()).id];
  const first = await scene.admin.get(path);
  assert.deepEqual(idsOf(dataOf(first).messages), idsOf(whole.data.messages));
  assert.equal(first.data.replyCount, 1002);
  assert.equal(typeof first.data.nextCursor, 'string');
  assert.match(first.headers.get('link') ?? '', /rel="next"/);
  const rest = await scene.admin.get(`${path}?cursor=${encodeURIComponent(first.data.nextCursor)}`);
  assert.deepEqual(idsOf(dataOf(rest).messages), extra);
  assert.equal(rest.data.nextCursor, null);
  for (const limit of [1, 99, 100, 101, 250, 1000]) {
    const { data } = await scene.admin.get(`${path}?limit=${limit}`);
    assert.deepEqual(idsOf(data.messages), idsOf(whole.data.messages).slice(0, limit), `limit=${limit}`);
    const page = `${path}?limit=3&cursor=${encodeURIComponent(data.nextCursor)}`;
    const after = await scene.admin.get(page);
    const expected = [...idsOf(whole.data.messages), ...extra].slice(limit, limit + 3);
    assert.deepEqual(idsOf(dataOf(after).messages), expected, `after limit=${limit}`);
  }
  for (const limit of ['0', '1001', '-1', '1.5', 'all'])
    assertRefused(await scene.admin.get(`${path}?limit=${limit}`), 'INVALID_REQUEST', '', 'limit');
  const other = await scene.thread();
  const elsewhere = await scene.admin.get(`/threads/${other.id}?cursor=${first.data.nextCursor}`);
  assertRefused(elsewhere, 'INVALID_REQUEST', '', 'cursor');
});
