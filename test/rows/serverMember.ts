import type { EventStage, Line } from '../support/eventStage.ts';
import { anInsert, idOf, one, toOne, watching } from '../support/randomWrites.ts';
import { type Fields, whole } from '../support/records.ts';
import type { Rule } from '../support/rules.ts';
import { allIn } from '../support/shown.ts';
import type { Json } from '../support/world.ts';
import { memberDeletes } from './cascades.ts';
import type { Listing, Noun } from './row.ts';
import { user } from './user.ts';

const serverMember: Fields = { serverId: 'id', userId: 'id', nickname: 'text?', timeoutUntil: 'time?' };

const writer: Rule = { owner: true, flags: ['canModerate'] };

const listing = (as?: string, query = ''): Listing => ({
  order: 'oldest',
  ...(as ? { as } : { mixed: true }),
  open: async (scene) => ({
    path: `/servers/${scene.server.id}/members${query}`,
    async add() {
      const { world, server } = scene;
      return (await world.member(server, await world.user({ name: 'Grace Hopper' }))).id;
    },
    take: (id) => scene.remove(`/server-members/${id}`),
  }),
});

/** A way to list members by ids or names. The test creates their users first. */
const listingOf = (field: 'userIds' | 'usernames', by: 'id' | 'username'): Listing => ({
  as: `by their ${field}`,
  order: 'oldest',
  async open(scene) {
    const users: Json[] = [];
    for (let made = 0; made < 40; made++) users.push(await scene.world.user());
    let added = 0;
    return {
      path: `/servers/${scene.server.id}/members?${field}=${users.map((one) => one[by]).join()}`,
      add: async () => (await scene.world.member(scene.server, users[added++] as Json)).id,
      take: (id) => scene.remove(`/server-members/${id}`),
    };
  },
});

/** A way to list the members with certain roles, in a server that also has other members. */
const listingOfRole: Listing = {
  as: 'by their roles',
  order: 'oldest',
  async open(scene) {
    const [role, other] = [await scene.role(), await scene.role()];
    return {
      path: `/servers/${scene.server.id}/members?roleIds=${role.id},${other.id}`,
      async add() {
        const { world, server } = scene;
        await world.member(server, await world.user());
        const user = await world.user();
        const { id } = await world.member(server, user);
        for (const { id: roleId } of [role, other])
          await scene.make('/user-roles', { userId: user.id, roleId });
        return id;
      },
      take: (id) => scene.remove(`/server-members/${id}`),
    };
  },
};

/** The events when a new user becomes a member with the default role. */
async function joined(
  { world, memberCount }: { world: EventStage['world']; memberCount: number },
  server: Json,
  member: Json,
): Promise<Line[]> {
  const { id: roleId } = await world.defaultRole(server);
  const { userId } = member;
  return [
    ['serverMember.created', { ...member, user: { id: userId }, roleIds: [roleId] }],
    ['userRole.created', { userId, roleId, serverId: server.id }],
    ['server.updated', { id: server.id, memberCount: memberCount + 1 }],
  ];
}

export const serverMembers: Noun = {
  name: 'serverMember',
  group: 'Server Members',
  limit: 60,
  events: ['created', 'updated', 'deleted'],
  make: (scene) => scene.member(),
  all: allIn('members'),

  reads: [
    {
      name: 'serverMembers',
      path: '/servers/:serverId/members',
      answer: { ...serverMember, lookAlike: 'object?', unclaimed: 'flag', user: whole(user), roleIds: 'ids' },
      sight: 'server',
      ready: async ({ server }) => ({ id: server.id }),
      filters: { q: 'words', userIds: 'reference', usernames: 'reference', roleIds: 'reference' },
      listings: [
        listing(),
        listing('with a name', '?q=grace'),
        listingOf('userIds', 'id'),
        listingOf('usernames', 'username'),
        listingOfRole,
      ],
    },
  ],

  writes: [
    {
      name: 'serverMemberInsert',
      method: 'POST',
      path: '/server-members',
      answer: serverMember,
      rule: { flags: ['canModerate'] },
      once: true,
      ready: async ({ world }) => ({ body: { userId: (await world.user()).id } }),
      fields: { serverId: 'reference', userId: 'reference', inviteId: 'reference', nickname: 'name?' },
      events: [
        {
          what: 'adding a user',
          async write(stage) {
            const { home, world } = stage;
            const memberCount = await stage.memberCount();
            const { id: userId } = await world.user();
            const lines = await joined({ world, memberCount }, home.server, { userId });
            return { body: { userId, nickname: 'Ada' }, home: () => lines };
          },
        },
        {
          what: 'joining another server with an invite',
          async write(stage) {
            const { away, guest, guestUser, world } = stage;
            const memberCount = await stage.memberCount(away);
            const invite = await away.invite({ maxUses: 3 });
            const member = { userId: guestUser.id };
            const lines = await joined({ world, memberCount }, away.server, member);
            return {
              body: { inviteId: invite.id },
              as: guest,
              away: () => [...lines, ['invite.updated', { id: invite.id, uses: 1 }]],
            };
          },
        },
      ],
      random: [
        anInsert(4, ({ users }, choice) => ({ userId: choice.of(users).id })),
        {
          weight: 2,
          write: (place, choice) => ({
            body: { inviteId: idOf(one(place, choice, 'invite')) },
            as: choice.of(place.other().watchers),
          }),
        },
      ],
    },
    {
      name: 'serverMemberUpdate',
      method: 'PATCH',
      path: '/server-members/:id',
      answer: serverMember,
      rule: writer,
      ready: async (scene) => ({ id: (await scene.member()).id }),
      sample: () => ({ nickname: 'Ada' }),
      fields: { nickname: 'name?', timeoutUntil: 'timeout?' },
      events: [
        {
          what: 'a nickname',
          async write(stage) {
            const { id, userId, roleIds } = await stage.member(stage.guestUser.id);
            return {
              id,
              body: { nickname: 'Ada' },
              home: (made) => [['serverMember.updated', { ...made, user: { id: userId }, roleIds }]],
            };
          },
        },
      ],
      random: [toOne(2, 'serverMember', ({ unique }) => ({ nickname: unique('nick') }))],
    },
    {
      name: 'serverMemberDelete',
      method: 'DELETE',
      path: '/server-members/:id',
      answer: serverMember,
      rule: writer,
      ready: async (scene) => ({ id: (await scene.member()).id }),
      events: memberDeletes,
      random: [
        toOne(
          2,
          'serverMember',
          undefined,
          (place) =>
            ({ userId }) =>
              !watching(place).has(userId),
        ),
      ],
    },
  ],
};
