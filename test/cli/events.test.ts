import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { endOf, type Logged, logOf } from '../support/log.ts';
import { Stage } from '../support/process.ts';
import { change, revokeKey } from '../support/sources.ts';
import { type Json, World } from '../support/world.ts';

let world: World;
let server: Json;
let owner: Json;
const stage = new Stage();
before(async () => {
  world = await World.open();
  owner = await world.user();
  server = await world.server(owner);
});
after(async () => {
  await world.close();
  await stage.close();
});

/** Each event's type, with the data that identifies its record. */
const linesOf = (log: readonly Logged[]): unknown[] =>
  log.map(({ type, data }) => [type, data.name ?? data.roleIds ?? data.roleId ?? data.memberCount]);

/** The events that a command appends; none has an actor. */
async function eventsOf(command: () => Promise<unknown>): Promise<{ log: Logged[]; made: Json }> {
  const before = await endOf(world, server.id);
  const made = await command();
  const log = await logOf(world, server.id, before);
  assert.ok(log.every(({ actorId }) => actorId === null));
  return { log, made };
}

/** Asserts the first events in a server's log. Returns the ids of its default role and its admin role. */
function assertFounded(log: readonly Logged[], creatorId: string): [string, string] {
  const [created, member, admin, ...rest] = log as [Logged, Logged, Logged, Logged];
  assert.deepEqual(
    [created.type, created.data.memberCount, created.data.creatorId],
    ['server.created', 1, creatorId],
  );
  assert.deepEqual([member.type, member.data.isDefault], ['role.created', true]);
  assert.deepEqual([admin.type, admin.data.canAdmin], ['role.created', true]);
  const roleIds = [member.data.id, admin.data.id];
  assert.deepEqual(linesOf(rest), [
    ['serverMember.created', roleIds],
    ['userRole.created', roleIds[0]],
    ['userRole.created', roleIds[1]],
  ]);
  assert.deepEqual(
    rest.map(({ data }) => data.userId),
    [creatorId, creatorId, creatorId],
  );
  return roleIds as [string, string];
}

test("server create appends the server, its roles, and the creator's membership and roles", async () => {
  const log = await logOf(world, server.id);
  assertFounded(log, owner.id);
  assert.deepEqual(log[0]?.data, server, 'the event shows the created server');
  assert.ok(log.every(({ actorId }) => actorId === null));
});

test('member add appends the membership with the default role, and the number of members', async () => {
  const user = await world.user();
  const { log, made } = await eventsOf(() => world.member(server, user));
  const { id: roleId } = await world.defaultRole(server);
  const [member, role, counted, ...others] = log.map(({ type, data }) => ({ type, ...data }));
  assert.deepEqual(others, []);
  assert.deepEqual(member, {
    type: 'serverMember.created',
    ...made,
    ...{ user, roleIds: [roleId], lookAlike: null, unclaimed: false },
  });
  assert.deepEqual([role.type, role.userId, role.roleId], ['userRole.created', user.id, roleId]);
  assert.deepEqual([counted.type, counted.memberCount], ['server.updated', 2]);
  assert.ok(counted.updatedAt > counted.createdAt);
});

test("key create appends the key's role, its user's membership, and the key without its value", async () => {
  const { log } = await eventsOf(() => world.client(server, ['canModerate']));
  assert.deepEqual(
    log.map(({ type }) => type),
    ['role.created', 'serverMember.created', 'userRole.created', 'server.updated', 'secret.created'],
  );
  const secret = log.at(-1)?.data;
  assert.equal(secret.roleId, log[0]?.data.id);
  assert.ok(!('key' in secret));
  const again = await eventsOf(() => world.client(server, ['canModerate'], owner));
  assert.deepEqual(
    again.log.map(({ type }) => type),
    ['secret.created'],
  );
});

test('key revoke appends one event, and flow create also appends those for its agent and role', async () => {
  const { secret } = await world.client(server, [], owner);
  const revoked = await eventsOf(() => change(world.data, (work) => revokeKey(work, secret.id)));
  const flow = await eventsOf(() => world.flow(server));
  assert.deepEqual(
    revoked.log.map((event) => [event.type, event.data]),
    [['secret.deleted', revoked.made]],
  );
  assert.deepEqual(
    flow.log.map(({ type }) => type),
    ['serverMember.created', 'userRole.created', 'server.updated', 'role.created', 'flow.created'],
  );
  assert.deepEqual(flow.log.at(-1)?.data, flow.made);
});

test('the first run appends a server with its channel and its key', async () => {
  const folder = stage.folder();
  const running = await stage.start(folder);
  assert.equal(await running.end(), 0);
  const first = await World.open({ place: await stage.place(folder) });
  try {
    const client = first.as(running.key);
    const [home] = (await client.get('/servers')).data;
    const log = await logOf(first, home.id);
    const [, admin] = assertFounded(log.slice(0, 6), home.creatorId);
    const [channel, secret, ...others] = log.slice(6);
    assert.deepEqual(others, []);
    assert.deepEqual([channel?.type, channel?.channelId], ['channel.created', running.channelId]);
    assert.deepEqual(channel?.data, (await client.get(`/channels/${running.channelId}`)).data);
    assert.deepEqual(
      [secret?.type, secret?.data.roleId, secret?.data.key],
      ['secret.created', admin, undefined],
    );
  } finally {
    await first.close();
  }
});
