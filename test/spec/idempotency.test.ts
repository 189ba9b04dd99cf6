import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { inserts, operations, pathOf, requestOf } from '../rows/index.ts';
import { assertRefused, dataOf, idsOf } from '../support/expect.ts';
import { Scene } from '../support/scene.ts';
import { type Answer, type Client, listAll, TestClock, World } from '../support/world.ts';

const HOUR_MS = 60 * 60 * 1000;
const clock = new TestClock();
let world: World;
let scene: Scene;
before(async () => {
  world = await World.open({ clock });
  scene = await Scene.open(world);
});
after(() => world.close());

const keyed = (key: string): Record<string, string> => ({ 'idempotency-key': key });

function assertReplay(again: Answer, first: Answer): void {
  assert.equal(again.headers.get('idempotency-replayed'), 'true');
  assert.equal(again.status, first.status);
  assert.deepEqual(again.body, first.body);
  assert.equal(again.headers.get('content-type'), first.headers.get('content-type'));
}

function assertFirst(answer: Answer): void {
  dataOf(answer);
  assert.equal(answer.headers.get('idempotency-replayed'), null);
}

const countInvites = async (client: Client = scene.admin): Promise<number> =>
  (await listAll(client, `/servers/${client.secret.serverId}/invites`)).length;

/** Operations that are idempotent (spec/streams), so they store no response. */
const repeatable = new Set(['messageAppend', 'messageStop']);

for (const operation of inserts) {
  if (repeatable.has(operation.name)) continue;
  test(`${operation.name}: repeating a request with the same key and body returns the first response`, async () => {
    const { id, body } = await requestOf(operation, scene);
    const path = pathOf(operation, id);
    const key = keyed(world.unique('key'));
    const first = await scene.admin.post(path, body, key);
    assertFirst(first);
    clock.advance(1000);
    assertReplay(await scene.admin.post(path, body, key), first);
    assertReplay(await scene.admin.post(path, body, key), first);
    assertRefused(await scene.admin.post(path, { ...body, other: 1 }, key), 'INVALID_REQUEST');
  });
}

test('a repeated request takes effect once', async () => {
  const { id } = await scene.channel();
  const key = keyed('once');
  for (let attempt = 0; attempt < 5; attempt++) {
    dataOf(await scene.admin.post('/messages', { channelId: id, content: 'Hello' }, key));
  }
  assert.equal((await listAll(scene.admin, `/channels/${id}/messages`)).length, 1);
});

test('a quoted key equals the same key without quotes; its length is 1 to 255', async () => {
  const first = await scene.admin.post('/invites', {}, keyed('"quoted"'));
  assertFirst(first);
  assertReplay(await scene.admin.post('/invites', {}, keyed('"quoted"')), first);
  assertReplay(await scene.admin.post('/invites', {}, keyed('quoted')), first);
  for (const good of ['x', '"y"', 'x'.repeat(255), `"${'y'.repeat(255)}"`, 'a b:/?#[]@!$&()*+,;=%']) {
    assertFirst(await scene.admin.post('/invites', {}, keyed(good)));
  }
  const before = await countInvites();
  for (const bad of ['', '""', 'x'.repeat(256), `"${'y'.repeat(256)}"`]) {
    assertRefused(await scene.admin.post('/invites', {}, keyed(bad)), 'INVALID_REQUEST', bad.slice(0, 9));
  }
  assert.equal(await countInvites(), before);
});

test('reusing a key with a different body is rejected and has no effect', async () => {
  const key = keyed('another body');
  const first = await scene.admin.post('/invites', { maxUses: 1 }, key);
  assertFirst(first);
  const before = await countInvites();
  for (const body of [{ maxUses: 2 }, {}, { maxUses: 1, expiresAt: null }]) {
    assertRefused(await scene.admin.post('/invites', body, key), 'INVALID_REQUEST', JSON.stringify(body));
  }
  assert.equal(await countInvites(), before);
  assertReplay(await scene.admin.post('/invites', { maxUses: 1 }, key), first);
});

test('a key is scoped to one user and one path', async () => {
  const key = keyed('mine');
  const other = await world.client(scene.server, ['canAdmin']);
  const sibling = await scene.secret({ userId: scene.owner.id, roleId: scene.admin.secret.roleId });
  const first = await scene.admin.post('/invites', { name: 'general' }, key);
  assertFirst(first);

  const theirs = await other.post('/invites', { name: 'general' }, key);
  assertFirst(theirs);
  assert.notEqual(theirs.data.id, first.data.id);
  assertFirst(await scene.admin.post('/channels', { name: 'general' }, key));
  assertReplay(await world.as(sibling.key).post('/invites', { name: 'general' }, key), first);
});

test('concurrent identical requests wait for the first', async () => {
  const { id } = await scene.channel();
  const send = () => scene.admin.post('/messages', { channelId: id, content: 'Hello' }, keyed('twins'));
  const answers = await Promise.all(Array.from({ length: 20 }, send));
  const [first] = answers as [Answer];
  for (const answer of answers) assert.deepEqual(answer.body, first.body);
  const replayed = answers.filter(({ headers }) => headers.get('idempotency-replayed') === 'true');
  assert.equal(replayed.length, 19);
  assert.deepEqual(idsOf(await listAll(scene.admin, `/channels/${id}/messages`)), [first.data.id]);
});

test('only one of several concurrent requests with the same key but different bodies succeeds', async () => {
  const { id } = await scene.channel();
  const send = (_: unknown, index: number) =>
    scene.admin.post('/messages', { channelId: id, content: `Hello ${index}` }, keyed('unlike twins'));
  const answers = await Promise.all(Array.from({ length: 10 }, send));
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  for (const answer of answers.filter(({ status }) => status !== 200))
    assertRefused(answer, 'INVALID_REQUEST');
});

test('a response is kept for 24 hours', async () => {
  const first = await scene.admin.post('/invites', {}, keyed('a day'));
  assertFirst(first);
  clock.advance(24 * HOUR_MS - 1);
  assertReplay(await scene.admin.post('/invites', {}, keyed('a day')), first);
  clock.advance(1);
  const next = await scene.admin.post('/invites', {}, keyed('a day'));
  assertFirst(next);
  assert.notEqual(next.data.id, first.data.id);
  assertReplay(await scene.admin.post('/invites', {}, keyed('a day')), next);
  clock.advance(24 * HOUR_MS);
  assertFirst(await scene.admin.post('/invites', { maxUses: 2 }, keyed('a day')));
});

test('a failed request can be sent again with the same key', async () => {
  const key = keyed('second try');
  const name = world.unique('channel');
  const nobody = await world.client(scene.server);
  const taken = await scene.channel({ name });
  assertRefused(await scene.admin.post('/channels', { name }, key), 'ALREADY_EXISTS');
  assertRefused(await scene.admin.post('/channels', { name: '' }, key), 'INVALID_REQUEST');
  dataOf(await scene.admin.delete(`/channels/${taken.id}`));
  const first = await scene.admin.post('/channels', { name }, key);
  assertFirst(first);
  assertReplay(await scene.admin.post('/channels', { name }, key), first);

  assertRefused(await nobody.post('/channels', { name: 'mine' }, key), 'FORBIDDEN');
  assertRefused(await nobody.post('/channels', { name: 'mine' }, key), 'FORBIDDEN');
});

test('a response is replayed even after its record was changed or deleted', async () => {
  const key = keyed('gone');
  const name = world.unique('channel');
  const first = await scene.admin.post('/channels', { name }, key);
  assertFirst(first);
  dataOf(await scene.admin.patch(`/channels/${first.data.id}`, { name: world.unique('channel') }));
  assertReplay(await scene.admin.post('/channels', { name }, key), first);
  dataOf(await scene.admin.delete(`/channels/${first.data.id}`));
  assertReplay(await scene.admin.post('/channels', { name }, key), first);
});

test('a response is only replayed to callers who could send the request, not to a revoked key', async () => {
  const { id, key } = await scene.secret({ userId: scene.owner.id, roleId: scene.admin.secret.roleId });
  const client = world.as(key);
  assertFirst(await client.post('/invites', {}, keyed('revoked')));
  dataOf(await scene.admin.delete(`/secrets/${id}`));
  assertRefused(await client.post('/invites', {}, keyed('revoked')), 'INVALID_API_KEY');
});

test('reads, updates and deletes ignore the header', async () => {
  for (const operation of operations.filter(({ method }) => method !== 'POST')) {
    const { id, body } = await requestOf(operation, scene);
    const headers = { authorization: `Bearer ${scene.admin.key}`, ...keyed('x'.repeat(300)) };
    const answer = await world.request(operation.method, pathOf(operation, id), { body, headers });
    assertFirst(answer);
  }
});
