import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { dataOf } from '../support/expect.ts';
import { Scene } from '../support/scene.ts';
import { find, insert } from '../support/sources.ts';
import { type Client, type Json, World } from '../support/world.ts';

// Group mentions: everyone, everyone online, and the members of a role.

let world: World;
before(async () => {
  world = await World.open();
});
after(() => world.close());

/** Two members, one of whom has the mentionable role `oncall`. */
async function stage() {
  const scene = await Scene.open(world);
  const [ada, bob] = [await world.user(), await world.user()];
  for (const user of [ada, bob]) await world.member(scene.server, user);
  const role = await scene.role({ name: 'OnCall', mentionable: true });
  await scene.make('/user-roles', { userId: ada.id, roleId: role.id });
  const { id: channelId } = await scene.channel();
  return { scene, ada, bob, role, channelId };
}

async function send(by: Client, channelId: string, content: string): Promise<Json> {
  const message = dataOf(await by.post('/messages', { channelId, content }));
  await world.tidy();
  return message;
}

/** The users who were notified of a message, sorted. */
const told = async ({ id }: Json): Promise<string[]> => {
  const rows = await world.data.db.read.all(find('notification', { messageId: id }));
  assert.ok(rows.every(({ type }) => type === 'mention'));
  return rows.map(({ userId }) => userId).sort();
};
const idsOf = (...users: Json[]): string[] => users.map(({ id }) => id).sort();

test('mentioning a mentionable role notifies each of its members who sees the channel, once', async () => {
  const { scene, ada, bob, role, channelId } = await stage();
  const { username } = ada;
  assert.deepEqual(await told(await send(scene.admin, channelId, 'Help, @oncall!')), idsOf(ada));
  const both = await send(scene.admin, channelId, `@oncall @${username} @${bob.username}`);
  assert.deepEqual(await told(both), idsOf(ada, bob));
  const guest = await world.client(scene.server, ['canEditData'], bob);
  assert.deepEqual(await told(await send(guest, channelId, 'any member may: @OnCall')), idsOf(ada));
  assert.deepEqual(await told(await send(guest, channelId, 'not in `@oncall`')), []);

  const hidden = await scene.channel({ private: true });
  assert.deepEqual(await told(await send(scene.admin, hidden.id, '@oncall')), []);
  dataOf(await scene.admin.patch(`/roles/${role.id}`, { mentionable: false }));
  assert.deepEqual(await told(await send(scene.admin, channelId, '@oncall')), []);
});

test('@everyone notifies all other members, and only if a moderator writes it', async () => {
  const { scene, ada, bob, channelId } = await stage();
  const participant = await world.client(scene.server, ['canEditData'], bob);
  assert.deepEqual(await told(await send(participant, channelId, '@everyone @here')), []);
  const moderator = await world.client(scene.server, ['canModerate'], bob);
  const message = await send(moderator, channelId, 'Ship it, @everyone');
  const members = dataOf(await scene.admin.get(`/servers/${scene.server.id}/members`));
  const others = members.map(({ userId }: Json) => userId).filter((id: string) => id !== bob.id);
  assert.deepEqual(await told(message), others.sort());
  assert.ok(others.includes(ada.id));
  dataOf(await moderator.patch(`/messages/${message.id}`, { content: 'Ship it, @everyone!' }));
  assert.deepEqual(await told(message), others.sort(), 'an edit withdraws nothing');
  assert.deepEqual(await world.data.db.read.all(find('groupMention', {})), []);
});

test('an edit notifies no groups', async () => {
  const { scene, bob, channelId } = await stage();
  const sent = await send(scene.admin, channelId, 'Ship it');
  const content = `Ship it, @everyone, @oncall and @${bob.username}`;
  dataOf(await scene.admin.patch(`/messages/${sent.id}`, { content }));
  await world.tidy();
  assert.deepEqual(await told(sent), idsOf(bob));
});

test('@here notifies members who are online, but not members connected to a node that died', async () => {
  const { scene, ada, bob, channelId } = await stage();
  const [alive, dead] = [
    { id: scene.server.id, aliveUntil: 8e12 },
    { id: bob.id, aliveUntil: Date.now() - 1 },
  ];
  await world.data.db.write(async (tx) => {
    for (const node of [alive, dead]) await tx.run(insert('presenceNode', node));
    for (const [node, userId] of [
      [alive, ada.id],
      [dead, ada.id],
      [dead, bob.id],
    ] as const)
      await tx.run(insert('nodePerson', { presenceNodeId: node.id, userId }));
  });
  assert.deepEqual(await told(await send(scene.admin, channelId, 'Lunch? @here')), idsOf(ada));
});

test('a deleted message notifies nobody, and neither do members who left', async () => {
  const { scene, ada, bob, channelId } = await stage();
  const message = dataOf(await scene.admin.post('/messages', { channelId, content: '@everyone' }));
  dataOf(await scene.admin.delete(`/messages/${message.id}`));
  await world.tidy();
  assert.deepEqual(await told(message), []);
  const { id } = dataOf(await scene.admin.get(`/servers/${scene.server.id}/members`)).find(
    ({ userId }: Json) => userId === ada.id,
  );
  const next = dataOf(await scene.admin.post('/messages', { channelId, content: '@everyone' }));
  dataOf(await scene.admin.delete(`/server-members/${id}`));
  await world.tidy();
  assert.ok((await told(next)).includes(bob.id) && !(await told(next)).includes(ada.id));
  assert.deepEqual(await world.data.db.read.all(find('sweep', {})), []);
});
