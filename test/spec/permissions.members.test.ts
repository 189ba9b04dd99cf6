import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { flagSets } from '../support/cast.ts';
import type { Flag } from '../support/rules.ts';
import { type Client, type Json, World } from '../support/world.ts';

let world: World;
let home: Json;
let closed: Json;
let other: Json;
let closedAdmin: Client;
before(async () => {
  world = await World.open();
  home = await world.server(await world.user());
  closed = await world.server(await world.user());
  other = await world.server(await world.user());
  closedAdmin = await world.client(closed, ['canAdmin']);
  assert.equal((await closedAdmin.patch(`/servers/${closed.id}`, { private: true })).status, 200);
});
after(() => world.close());

const nameOf = (flags: readonly Flag[]) => flags[0] ?? 'no flags';

for (const flags of flagSets) {
  test(`own membership: can be changed and left with ${nameOf(flags)}`, async () => {
    const user = await world.user();
    const member = await world.member(home, user);
    const own = await world.client(home, flags, user);
    assert.equal((await own.patch(`/server-members/${member.id}`, { nickname: 'Nick' })).status, 200);
    assert.equal((await own.delete(`/server-members/${member.id}`)).status, 200);
  });

  test(`own membership: cannot be changed with ${nameOf(flags)} and a key for another server`, async () => {
    const user = await world.user();
    const member = await world.member(home, user);
    const elsewhere = await world.client(other, flags, user);
    for (const answer of [
      await elsewhere.patch(`/server-members/${member.id}`, { nickname: 'Nick' }),
      await elsewhere.delete(`/server-members/${member.id}`),
    ]) {
      assert.equal(answer.status, 403);
      assert.deepEqual(answer.body.error.details.have, flags);
      assert.deepEqual(answer.body.error.details.need, []);
    }
  });
}

/** The ways to join a server with a key from another server. */
const joins: { into: string; body(): Promise<Json>; allowed: boolean; says?: string }[] = [
  { into: 'a public server', body: async () => ({ serverId: home.id }), allowed: true },
  {
    into: 'a private server',
    body: async () => ({ serverId: closed.id }),
    allowed: false,
    says: 'this server is private. You need an invite to join',
  },
  {
    into: 'a private server with an invite',
    body: async () => ({ inviteId: (await closedAdmin.post('/invites', {})).data.id }),
    allowed: true,
  },
  {
    into: 'a private server with an invite that is used up',
    async body() {
      const inviteId = (await closedAdmin.post('/invites', { maxUses: 1 })).data.id;
      const guest = await world.client(other);
      assert.equal((await guest.post('/server-members', { inviteId })).status, 200);
      return { inviteId };
    },
    allowed: false,
    says: 'this invite has expired or has no uses left',
  },
  {
    into: 'a private server with an invite that has expired',
    async body() {
      const expiresAt = Date.now() + 100;
      const inviteId = (await closedAdmin.post('/invites', { expiresAt })).data.id;
      while (Date.now() <= expiresAt) await new Promise((resolve) => setTimeout(resolve, 10));
      return { inviteId };
    },
    allowed: false,
    says: 'this invite has expired or has no uses left',
  },
];

for (const { into, body, allowed, says } of joins) {
  for (const flags of [[], ['canAdmin']] as const) {
    test(`joining ${into} with ${nameOf(flags)} elsewhere: ${allowed ? 'yes' : 'no'}`, async () => {
      const joiner = await world.client(other, flags);
      const answer = await joiner.post('/server-members', await body());
      assert.equal(answer.status, allowed ? 200 : 403, JSON.stringify(answer.body));
      if (allowed) assert.equal(answer.data.userId, joiner.secret.userId);
      else assert.equal(answer.body.error.message, says);
    });
  }
}

test('nobody can make somebody else join, not even a public server or with an invite', async () => {
  const user = await world.user();
  const stranger = await world.client(other, ['canAdmin']);
  const inviteId = (await closedAdmin.post('/invites', {})).data.id;
  for (const body of [
    { serverId: home.id, userId: user.id },
    { inviteId, userId: user.id },
  ]) {
    assert.equal((await stranger.post('/server-members', body)).status, 403);
  }
});

test('admins and moderators can add users to a private server', async () => {
  for (const flag of ['canAdmin', 'canModerate'] as const) {
    const client = await world.client(closed, [flag]);
    const userId = (await world.user()).id;
    assert.equal((await client.post('/server-members', { userId })).status, 200);
  }
});
