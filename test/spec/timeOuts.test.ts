import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Browser } from '../support/account.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { Scene } from '../support/scene.ts';
import { type Client, type Json, TestClock, World } from '../support/world.ts';

const HOUR_MS = 60 * 60_000;

const clock = new TestClock();
let world: World;
before(async () => {
  world = await World.open({ clock, limits: { '*': 0 } });
});
after(() => world.close());

interface Stage {
  scene: Scene;
  channel: Json;
  moderator: Client;
  user: Json;
  member: Client;
}

async function stage(): Promise<Stage> {
  const scene = await Scene.open(world);
  const user = await world.user();
  return {
    scene,
    channel: await scene.channel(),
    moderator: await world.client(scene.server, ['canModerate', 'canEditData'], await world.user()),
    user,
    member: await world.client(scene.server, ['canEditData'], user),
  };
}

const membershipOf = async ({ server, admin }: Scene, userId: unknown): Promise<Json> =>
  dataOf(await admin.get(`/servers/${server.id}/members?userIds=${userId}`))[0];

const timeOut = async ({ scene, moderator, user }: Stage, timeoutUntil: number | null) =>
  moderator.patch(`/server-members/${(await membershipOf(scene, user.id)).id}`, { timeoutUntil });

test('a timed-out member can read and delete, but not write or react, until the time-out ends', async () => {
  const given = await stage();
  const { scene, channel, member, user } = given;
  const own = dataOf(await member.post('/messages', { channelId: channel.id, content: 'Mine' }));
  const other = await scene.message({ channelId: channel.id });
  const until = clock.now() + HOUR_MS;
  assert.equal(dataOf(await timeOut(given, until)).timeoutUntil, until);
  assert.equal((await membershipOf(scene, user.id)).timeoutUntil, until);

  const writes: [string, object][] = [
    ['/messages', { channelId: channel.id, content: 'More' }],
    ['/reactions', { messageId: other.id, emoji: '👍' }],
    ['/threads', { messageId: other.id, name: 'A thread' }],
    ['/indicators', { type: 'typing', channelId: channel.id }],
  ];
  for (const [path, body] of writes) {
    const answer = await member.post(path, body);
    assertRefused(answer, 'FORBIDDEN', path);
    assert.equal(answer.body.error.details.rule, 'serverMember: timed out', path);
  }
  assertRefused(await member.patch(`/messages/${own.id}`, { content: 'Changed' }), 'FORBIDDEN');
  dataOf(await member.get(`/channels/${channel.id}/messages`));
  dataOf(await member.post('/reports', { messageId: other.id, reason: 'Look at this' }));
  dataOf(await member.delete(`/messages/${own.id}`));

  clock.advance(HOUR_MS);
  for (const [path, body] of writes) dataOf(await member.post(path, body));
});

test('a time-out can be ended, and continues after leaving and joining again', async () => {
  const given = await stage();
  const { scene, channel, member, user } = given;
  const browser = await Browser.of(world, user, scene.server);
  dataOf(await timeOut(given, clock.now() + HOUR_MS));
  const { id } = await membershipOf(scene, user.id);
  dataOf(await browser.api.delete(`/server-members/${id}`));
  const invite = await scene.invite();
  dataOf(await browser.api.post('/server-members', { inviteId: invite.id }));
  const again = await Browser.of(world, user, scene.server);
  const body = { channelId: channel.id, content: 'Back' };
  assertRefused(await again.api.post('/messages', body), 'FORBIDDEN');
  dataOf(await timeOut({ ...given, member }, null));
  dataOf(await again.api.post('/messages', body));
});

test('time-outs do not apply to direct messages', async () => {
  const given = await stage();
  const { scene, user } = given;
  const friend = await world.user();
  await world.member(scene.server, friend);
  const browser = await Browser.of(world, user, scene.server);
  dataOf(await timeOut(given, clock.now() + HOUR_MS));
  const { id: channelId } = dataOf(await browser.api.post('/conversations', { userIds: [friend.id] }));
  dataOf(await browser.api.post('/messages', { channelId, content: 'I am timed out' }));
});

test('only moderators can time out members, and never themselves or each other', async () => {
  const given = await stage();
  const { scene, moderator, member, user } = given;
  const until = clock.now() + HOUR_MS;
  const of = async (userId: unknown) => `/server-members/${(await membershipOf(scene, userId)).id}`;
  assertRefused(await member.patch(await of(user.id), { timeoutUntil: until }), 'FORBIDDEN');
  assertRefused(
    await moderator.patch(await of(moderator.secret.userId), { timeoutUntil: until }),
    'FORBIDDEN',
  );
  assertRefused(
    await moderator.patch(await of(scene.server.creatorId), { timeoutUntil: until }),
    'FORBIDDEN',
  );
  const ward = await world.user();
  await world.member(scene.server, ward);
  const role = await scene.role({ canModerate: true });
  await scene.make('/user-roles', { userId: ward.id, roleId: role.id });
  assertRefused(await moderator.patch(await of(ward.id), { timeoutUntil: until }), 'FORBIDDEN');
  const late = clock.now() + 29 * 24 * HOUR_MS;
  assertRefused(await timeOut(given, late), 'INVALID_REQUEST', '', 'timeoutUntil');
});
