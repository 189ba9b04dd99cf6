import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertRefused, dataOf, idsOf } from '../support/expect.ts';
import { Scene } from '../support/scene.ts';
import { type Answer, type Json, World } from '../support/world.ts';

const MESSAGES = 23;
let world: World;
let scene: Scene;
let path: string;
/** The ids of the messages, from newest to oldest. */
let ids: string[];
before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
  const { id: channelId } = await scene.channel();
  path = `/channels/${channelId}/messages`;
  const other = await world.client(scene.server, ['canEditData']);
  const sent: string[] = [];
  for (let number = 0; number < MESSAGES; number++) {
    const client = number % 3 === 0 ? other : scene.admin;
    sent.push((await scene.make('/messages', { channelId, content: `Number ${number}` }, client)).id);
  }
  ids = sent.reverse();
});
after(() => world.close());

const read = (query: string): Promise<Answer> => scene.admin.get(`${path}?${query}`);

/** The ids on all pages, starting from the page around a message and going in both directions. Newest first. */
async function walk(around: string, limit: number, filter = ''): Promise<string[]> {
  const query = `around=${around}&limit=${limit}${filter}`;
  const first = (await read(query)).body;
  const found = idsOf(first.data);
  assert.ok(found.length <= limit);
  for (const name of ['nextCursor', 'previousCursor']) {
    let cursor = first[name];
    for (let page = 0; cursor !== null; page++) {
      assert.ok(page < 50, 'the list ends');
      const { status, body } = await read(`${query}&cursor=${cursor}`);
      assert.equal(status, 200, JSON.stringify(body));
      assert.ok(body.data.length <= limit);
      if (name === 'nextCursor') found.push(...idsOf(body.data));
      else found.unshift(...idsOf(body.data));
      cursor = body[name];
    }
  }
  return found;
}

test('a page around a message has about as many messages before it as after it, newest first', async () => {
  const middle = ids[11] as string;
  for (const [limit, from, to] of [
    [1, 11, 12],
    [2, 10, 12],
    [5, 9, 14],
    [10, 6, 16],
    [100, 0, MESSAGES],
  ] as const) {
    const { body } = await read(`around=${middle}&limit=${limit}`);
    assert.deepEqual(Object.keys(body), ['ok', 'data', 'nextCursor', 'previousCursor']);
    assert.deepEqual(idsOf(body.data), ids.slice(from, to), `limit=${limit}`);
    assert.equal(body.nextCursor === null, to === MESSAGES);
    assert.equal(body.previousCursor === null, from === 0);
  }
  const [record] = dataOf(await read(`around=${middle}&limit=1`));
  assert.deepEqual(record, dataOf(await scene.admin.get(`/messages/${middle}`)));
});

test('cursors from a page around a message lead in both directions without gaps or duplicates', async () => {
  for (const place of [0, 1, 11, MESSAGES - 2, MESSAGES - 1]) {
    for (const limit of [1, 2, 3, 10])
      assert.deepEqual(await walk(ids[place] as string, limit), ids, `${limit} around ${place}`);
  }
});

test('the next page after a page around a message links back to it', async () => {
  const query = `around=${ids[11]}&limit=4`;
  const first = (await read(query)).body;
  const older = (await read(`${query}&cursor=${first.nextCursor}`)).body;
  const back = (await read(`${query}&cursor=${older.previousCursor}`)).body;
  assert.deepEqual(back.data, first.data);
  const again = (await read(`${query}&cursor=${back.nextCursor}`)).body;
  assert.deepEqual(again.data, older.data);
});

test('filters also apply around a message', async () => {
  const mine = dataOf(await read(`creatorId=${scene.owner.id}&limit=100`));
  assert.ok(mine.length > 10 && mine.length < MESSAGES);
  for (const filter of [`&creatorId=${scene.owner.id}`, `&creatorId=${scene.owner.id}&type=person`])
    assert.deepEqual(await walk(ids[10] as string, 3, filter), idsOf(mine), filter);
  assert.deepEqual(await walk(ids[10] as string, 3, '&isThreadReply=true'), []);
});

test('new messages appear after the cursor that leads to newer ones', async () => {
  const own = await Scene.open(world);
  const { id: channelId } = await own.channel();
  const messages: Json[] = [];
  for (let sent = 0; sent < 3; sent++) messages.push(await own.message({ channelId }));
  const around = `/channels/${channelId}/messages?around=${messages[1].id}&limit=2`;
  const { body } = await own.admin.get(around);
  assert.deepEqual(idsOf(body.data), [messages[2].id, messages[1].id]);
  assert.equal(body.previousCursor, null, 'there are no newer ones yet');
  const older = (await own.admin.get(`${around}&cursor=${body.nextCursor}`)).body;
  await own.remove(`/messages/${messages[2].id}`);
  const next = await own.message({ channelId });
  const newer = (await own.admin.get(`${around}&cursor=${older.previousCursor}`)).body;
  assert.deepEqual(idsOf(newer.data), [next.id, messages[1].id]);
});

test('contradictory parameters are rejected', async () => {
  for (const other of ['q=number', 'after=1', 'before=1800000000000', 'order=asc'])
    assertRefused(await read(`around=${ids[3]}&${other}`), 'INVALID_REQUEST', other, 'around');
  for (const other of ['q=', 'order=desc']) dataOf(await read(`around=${ids[3]}&${other}`), other);
});

test('a message that is not in the channel is NOT_FOUND, even if it exists elsewhere', async () => {
  const open = await scene.message();
  const hidden = await scene.message({ channelId: (await scene.channel({ private: true })).id });
  const foreign = await (await Scene.open(world)).message();
  const client = await world.client(scene.server);
  for (const id of [open.id, hidden.id, foreign.id, '0193a5f0-7b1c-7d2e-8f3a-4b5c6d7e8f90', 'none', '']) {
    for (const { get } of [client, scene.admin])
      assertRefused(await get(`${path}?around=${id}`), 'NOT_FOUND', id);
  }
});

test('a channel that the caller cannot see is FORBIDDEN, regardless of the message', async () => {
  const { id: channelId } = await scene.channel({ private: true });
  const { id } = await scene.message({ channelId });
  const client = await world.client(scene.server);
  for (const around of [id, ids[0], 'none'])
    assertRefused(await client.get(`/channels/${channelId}/messages?around=${around}`), 'FORBIDDEN');
});

test('a page around a message includes the message itself, even among messages of maximum size', async () => {
  const { id: channelId } = await scene.channel();
  const sent: Json[] = [];
  for (let number = 0; number < 41; number++)
    sent.push(await scene.message({ channelId, content: `a${'\u0001'.repeat(7999)}` }));
  const middle = sent[20].id;
  const { data, body } = await scene.admin.get(`/channels/${channelId}/messages?around=${middle}&limit=100`);
  assert.ok(idsOf(data).includes(middle));
  assert.ok(JSON.stringify(data).length < 1.2 * 1024 * 1024);
  assert.ok(body.nextCursor !== null && body.previousCursor !== null);
});
