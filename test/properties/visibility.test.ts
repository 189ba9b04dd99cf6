import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import type { Principal } from '../../server/src/access/principal.ts';
import { canSeeChannel } from '../../server/src/access/visibility.ts';
import { whereChannelVisible } from '../../server/src/access/whereVisible.ts';
import { pathOf, reads } from '../rows/index.ts';
import { Scene } from '../support/scene.ts';
import { change, insert, q } from '../support/sources.ts';
import { type Json, listAll, World } from '../support/world.ts';

let world: World;
before(async () => {
  world = await World.open();
});
after(() => world.close());

/** Role ids. The last one is a prefix of the others. */
const roleIds = [
  '0193a5f0-7b1c-7d2e-8f3a-000000000001',
  '0193a5f0-7b1c-7d2e-8f3a-000000000002',
  '0193a5f0-7b1c-7d2e-8f3a-00000000000a',
  '0193a5f0-7b1c-7d2e-8f3a',
];
const someRoles = fc.subarray(roleIds);
const userIds = ['0193a5f0-7b1c-7d2e-8f3a-0000000000b1', '0193a5f0-7b1c-7d2e-8f3a-0000000000b2'];
/** Direct messages are as the server creates them: private, without roles. */
const channels = fc.array(
  fc.oneof(
    fc.record({ private: fc.boolean(), roleIds: someRoles, memberIds: fc.constant(null) }),
    fc.record({
      private: fc.constant(true),
      roleIds: fc.constant<string[]>([]),
      memberIds: fc.subarray(userIds, { minLength: 1 }),
    }),
  ),
  { maxLength: 12 },
);
const principals = fc.array(
  fc.record({
    roleIds: someRoles,
    isServerCreator: fc.boolean(),
    admin: fc.boolean(),
    userId: fc.constantFrom(...userIds),
    userType: fc.constantFrom('person', 'agent'),
    isSignedIn: fc.constantFrom(true, undefined),
  }),
  { minLength: 1, maxLength: 4 },
);

test('a channel is listed if and only if it can be read by its id', async () => {
  await fc.assert(
    fc.asyncProperty(channels, principals, async (channels, principals) => {
      const server = await world.server(await world.user());
      const rows = await change(world.data, async (work) => {
        const rows = channels.map((channel, index) => ({
          ...work.newRow(),
          ...channel,
          kind: channel.memberIds ? ('dm' as const) : ('channel' as const),
          serverId: server.id,
          name: `channel ${index}`,
          nameKey: `channel ${index}`,
          description: null,
          readonly: false,
          position: index,
          creatorId: server.creatorId,
        }));
        for (const row of rows) await work.db.run(insert('channel', row));
        return rows;
      });
      for (const { admin, ...fields } of principals) {
        const flags = new Set(admin ? ['canAdmin'] : []);
        const principal = { ...fields, serverId: server.id, flags } as unknown as Principal;
        const listed = await world.data.db.read.all(
          q
            .selectFrom('channel')
            .select('id')
            .where('serverId', '=', server.id)
            .where(whereChannelVisible(principal))
            .orderBy('position'),
        );
        const seen = rows.filter((row) => canSeeChannel(principal, server.id, row));
        assert.deepEqual(
          listed.map(({ id }) => id),
          seen.map(({ id }) => id),
        );
        const isInPerson = fields.isSignedIn === true || fields.userType === 'agent';
        const expected = rows.filter((row) =>
          row.memberIds
            ? isInPerson && row.memberIds.includes(principal.userId)
            : !row.private ||
              principal.isServerCreator ||
              admin ||
              row.roleIds.some((roleId) => principal.roleIds.includes(roleId)),
        );
        assert.deepEqual(seen, expected);
      }
    }),
    { numRuns: 150 },
  );
});

test('channels in other servers cannot be seen', () => {
  fc.assert(
    fc.property(someRoles, fc.boolean(), fc.boolean(), (roleIds, isServerCreator, isPrivate) => {
      const flags = new Set(['canAdmin']);
      const principal = { roleIds, isServerCreator, flags, serverId: 'one' } as unknown as Principal;
      const channel = { private: isPrivate, readonly: false, roleIds, memberIds: null };
      assert.equal(canSeeChannel(principal, 'other', channel), false);
      assert.equal(canSeeChannel(principal, 'one', channel), true);
    }),
  );
});

test("through the API: a channel's records can be read by exactly those who see the channel", async () => {
  const owner = await world.user();
  const server = await world.server(owner);
  const admin = await world.client(server, ['canAdmin'], owner);
  const readers = [
    admin,
    await world.client(server, [], owner),
    await world.client(server, ['canViewData']),
    await world.client(server, ['canModerate']),
    await world.client(server, ['canEditChannel']),
  ];
  const roles = readers.slice(2).map(({ secret }) => secret.roleId as string);
  const made = fc.record({ private: fc.boolean(), indexes: fc.subarray([0, 1, 2]) });
  await fc.assert(
    fc.asyncProperty(made, async ({ indexes, ...fields }) => {
      const allowed = indexes.map((index) => roles[index] as string);
      const channel = (
        await admin.post('/channels', { ...fields, name: world.unique('channel'), roleIds: allowed })
      ).data;
      const place = new Scene({ world, owner, server, admin, place: channel });
      const paths = [`/channels/${channel.id}/messages?q=hello`];
      for (const row of reads.filter(({ sight }) => sight === 'channel'))
        paths.push(pathOf(row, (await row.ready(place)).id));
      for (const [index, reader] of readers.entries()) {
        const seen = !fields.private || index < 2 || indexes.includes(index - 2);
        for (const path of paths) assert.equal((await reader.get(path)).status, seen ? 200 : 403, path);
        const listed = await listAll(reader, `/servers/${server.id}/channels`);
        assert.equal(
          listed.some(({ id }: Json) => id === channel.id),
          seen,
        );
      }
    }),
    { numRuns: 12 },
  );
});
