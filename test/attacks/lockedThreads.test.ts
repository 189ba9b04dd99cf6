import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertRefused, dataOf } from '../support/expect.ts';
import { Scene } from '../support/scene.ts';
import { type Client, type Json, World } from '../support/world.ts';

// Members try to use or unlock a locked thread.

let world: World;
let scene: Scene;
let member: Client;
let moderator: Client;
before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
  member = await world.client(scene.server, ['canEditData']);
  moderator = await world.client(scene.server, ['canModerate']);
});
after(() => world.close());

/** The member's thread, with a reply by the member. */
async function ofMember(): Promise<{ thread: Json; reply: Json }> {
  const thread = await scene.make('/threads', { messageId: (await scene.message()).id }, member);
  const reply = await scene.make('/messages', { threadId: thread.id, content: 'Hello' }, member);
  return { thread, reply };
}

const lock = async (client: Client, { id }: Json, locked = true): Promise<Json> =>
  dataOf(await client.patch(`/threads/${id}`, { locked }));

test('in a locked thread, members can only delete, not reply, edit or react; moderators can do everything', async () => {
  const { thread, reply } = await ofMember();
  const mine = await scene.make('/reactions', { messageId: reply.id, emoji: '👍' }, member);
  await lock(scene.admin, thread);
  const attempts = (client: Client) => [
    client.post('/messages', { threadId: thread.id, content: 'And another thing' }),
    client.patch(`/messages/${reply.id}`, { content: 'And another thing' }),
    client.post('/reactions', { messageId: reply.id, emoji: '🎉' }),
  ];
  for (const answer of await Promise.all(attempts(member))) {
    assertRefused(answer, 'FORBIDDEN');
    const { rule, need } = answer.body.error.details;
    assert.match(rule, /^(message|reaction): .*; in a locked thread: server admin or moderator$/);
    assert.deepEqual(need, ['canModerate']);
  }
  for (const answer of await Promise.all(attempts(moderator))) dataOf(answer);
  dataOf(await member.delete(`/reactions/${mine.id}`));
  dataOf(await member.delete(`/messages/${reply.id}`));
});

test('the root message of a locked thread, and other threads, stay open', async () => {
  const root = await scene.message();
  const thread = await scene.thread({ messageId: root.id });
  await lock(scene.admin, thread);
  await scene.make('/reactions', { messageId: root.id, emoji: '👍' }, member);
  const { reply } = await ofMember();
  dataOf(await member.patch(`/messages/${reply.id}`, { content: 'Edited' }));
});

test('only moderators can unlock a thread that a moderator locked', async () => {
  const { thread } = await ofMember();
  const agent = await world.client(scene.server, ['canEditData'], await world.user({ agent: true }));
  await lock(scene.admin, thread);
  for (const client of [member, agent]) {
    const refused = await client.patch(`/threads/${thread.id}`, { locked: false });
    assertRefused(refused, 'FORBIDDEN');
    assert.deepEqual(refused.body.error.details.need, ['canModerate']);
    // Locking the thread again does not take over the lock, and the creator can still rename it.
    await lock(client, thread);
    dataOf(await client.patch(`/threads/${thread.id}`, { name: 'Renamed' }));
    assertRefused(await client.patch(`/threads/${thread.id}`, { locked: false }), 'FORBIDDEN');
  }
  assert.equal((await lock(scene.admin, thread, false)).locked, false);
  await lock(member, thread);
  assert.equal((await lock(member, thread, false)).locked, false);
});

test('a creator can unlock a thread that they locked, unless a moderator also locks it', async () => {
  const { thread } = await ofMember();
  await lock(member, thread);
  assert.equal((await lock(member, thread, false)).locked, false);
  await lock(member, thread);
  await lock(scene.admin, thread);
  assertRefused(await member.patch(`/threads/${thread.id}`, { locked: false }), 'FORBIDDEN');

  const own = await scene.thread();
  await lock(scene.admin, own);
  const creator = await world.client(scene.server, [], scene.owner);
  assert.equal((await lock(creator, own, false)).locked, false);
});

test('callers who cannot change a thread cannot unlock it, and the error reveals nothing more', async () => {
  const { thread } = await ofMember();
  const other = await world.client(scene.server, ['canEditData', 'canModerate']);
  for (const locked of [true, false])
    assertRefused(await other.patch(`/threads/${thread.id}`, { locked }), 'FORBIDDEN');
  assert.deepEqual(Object.keys(await lock(scene.admin, thread)).sort(), Object.keys(thread).sort());
});
