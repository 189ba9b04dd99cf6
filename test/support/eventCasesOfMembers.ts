import type { EventCase, EventStage, Line } from './eventStage.ts';
import type { Json } from './world.ts';

/** A new user who becomes a member with the default role. */
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

const roleCases: EventCase[] = [
  {
    operation: 'roleInsert',
    what: 'a role',
    write: async ({ world }) => ({
      method: 'POST',
      path: '/roles',
      body: { name: world.unique('role'), canEditData: true },
      home: (made) => [['role.created', made]],
    }),
  },
  {
    operation: 'roleUpdate',
    what: 'a role',
    write: async ({ home }) => ({
      method: 'PATCH',
      path: `/roles/${(await home.role()).id}`,
      body: { canModerate: true },
      home: (made) => [['role.updated', made]],
    }),
  },
  {
    operation: 'roleDelete',
    what: 'a role that keys and members have, and channels let in',
    async write(stage) {
      const { home, guest, guestUser } = stage;
      const role = await home.role();
      const other = await home.role();
      const inside = await home.channel({ private: true, roleIds: [other.id, role.id] });
      await home.channel({ private: true, roleIds: [other.id] });
      const key = await home.secret({ roleId: role.id, userId: home.owner.id });
      await home.secret({ roleId: other.id, userId: home.owner.id });
      const given: Json[] = [];
      for (const userId of [guestUser.id, home.owner.id]) {
        given.push(await home.make('/user-roles', { userId, roleId: role.id }));
      }
      const [owner, member] = [await stage.member(home.owner.id), await stage.member(guest.secret.userId)];
      const less = ({ id, userId, roleIds }: Json): Line => [
        'serverMember.updated',
        { id, userId, user: { id: userId }, roleIds: roleIds.filter((roleId: string) => roleId !== role.id) },
      ];
      const { key: _key, ...secret } = key;
      return {
        method: 'DELETE',
        path: `/roles/${role.id}`,
        home: () => [
          ['role.deleted', role],
          ['secret.deleted', secret],
          ['channel.updated', { id: inside.id, roleIds: [other.id] }],
          ...given.map((row): Line => ['userRole.deleted', row]),
          less(owner),
          less(member),
        ],
      };
    },
  },
  {
    operation: 'userRoleInsert',
    what: 'a role for a member',
    async write(stage) {
      const role = await stage.home.role();
      const { id, userId, roleIds } = await stage.member(stage.guestUser.id);
      return {
        method: 'POST',
        path: '/user-roles',
        body: { userId, roleId: role.id },
        home: (made) => [
          ['userRole.created', made],
          ['serverMember.updated', { id, userId, roleIds: [...roleIds, role.id] }],
        ],
      };
    },
  },
  {
    operation: 'userRoleDelete',
    what: 'a role of a member',
    async write({ home, world }) {
      const given = await home.userRole();
      const { id: roleId } = await world.defaultRole(home.server);
      return {
        method: 'DELETE',
        path: `/user-roles/${given.id}`,
        home: () => [
          ['userRole.deleted', given],
          ['serverMember.updated', { userId: given.userId, roleIds: [roleId] }],
        ],
      };
    },
  },
];

const membershipCases: EventCase[] = [
  {
    operation: 'serverMemberInsert',
    what: 'a user who is added',
    async write(stage) {
      const { home, world } = stage;
      const memberCount = await stage.memberCount();
      const { id: userId } = await world.user();
      const lines = await joined({ world, memberCount }, home.server, { userId });
      return {
        method: 'POST',
        path: '/server-members',
        body: { userId, nickname: 'Ada' },
        home: () => lines,
      };
    },
  },
  {
    operation: 'serverMemberInsert',
    what: 'one who joins another server with an invite',
    async write(stage) {
      const { away, guest, guestUser, world } = stage;
      const memberCount = await stage.memberCount(away);
      const invite = await away.invite({ maxUses: 3 });
      const member = { userId: guestUser.id };
      const lines = await joined({ world, memberCount }, away.server, member);
      return {
        method: 'POST',
        path: '/server-members',
        body: { inviteId: invite.id },
        as: guest,
        away: () => [...lines, ['invite.updated', { id: invite.id, uses: 1 }]],
      };
    },
  },
  {
    operation: 'serverMemberUpdate',
    what: 'a nickname',
    async write(stage) {
      const { id, userId, roleIds } = await stage.member(stage.guestUser.id);
      return {
        method: 'PATCH',
        path: `/server-members/${id}`,
        body: { nickname: 'Ada' },
        home: (made) => [['serverMember.updated', { ...made, user: { id: userId }, roleIds }]],
      };
    },
  },
  {
    operation: 'serverMemberDelete',
    what: 'a member with keys and roles',
    async write(stage) {
      const { home, world } = stage;
      const user = await world.user();
      const keys = [
        await world.client(home.server, ['canEditData'], user),
        await world.client(home.server, [], user),
      ];
      await home.make('/user-roles', { userId: user.id, roleId: (await home.role()).id });
      await home.message({ content: `@${user.username}` });
      const { id, roles, roleIds } = await stage.member(user.id);
      const memberCount = (await stage.memberCount()) - 1;
      const rolesById = roles.sort((one: Json, other: Json) => (one.id < other.id ? -1 : 1));
      return {
        method: 'DELETE',
        path: `/server-members/${id}`,
        home: () => [
          ['serverMember.deleted', { id, userId: user.id, user: { id: user.id }, roleIds }],
          ...keys.map(({ secret }): Line => ['secret.deleted', { id: secret.id, userId: user.id }]),
          ...rolesById.map((role: Json): Line => ['userRole.deleted', { id: role.id, roleId: role.roleId }]),
          ['server.updated', { id: home.server.id, memberCount }],
        ],
      };
    },
  },
];

const otherCases: EventCase[] = [
  {
    operation: 'inviteInsert',
    what: 'an invite',
    write: async () => ({
      method: 'POST',
      path: '/invites',
      body: { maxUses: 3 },
      home: (made) => [['invite.created', made]],
    }),
  },
  {
    operation: 'inviteDelete',
    what: 'an invite',
    async write({ home }) {
      const invite = await home.invite();
      return { method: 'DELETE', path: `/invites/${invite.id}`, home: () => [['invite.deleted', invite]] };
    },
  },
  {
    operation: 'serverUpdate',
    what: 'settings',
    write: async ({ home }) => ({
      method: 'PATCH',
      path: `/servers/${home.server.id}`,
      body: { welcome: 'Come in' },
      home: (made) => [['server.updated', made]],
    }),
  },
  {
    operation: 'secretInsert',
    what: 'a key of the minter',
    write: async ({ home }) => ({
      method: 'POST',
      path: '/secrets',
      body: { kind: 'apiKey', name: 'Key', userId: home.owner.id },
      home: ({ key: _key, ...made }) => [['secret.created', { ...made, key: undefined }]],
    }),
  },
  {
    operation: 'secretInsert',
    what: 'a key with an agent of its own',
    async write(stage) {
      const { home, world } = stage;
      const memberCount = await stage.memberCount();
      const { id: roleId } = await world.defaultRole(home.server);
      return {
        method: 'POST',
        path: '/secrets',
        body: { kind: 'apiKey', name: 'Bot' },
        home: ({ id, userId }) => [
          [
            'serverMember.created',
            { userId, user: { id: userId, name: 'Bot', type: 'agent' }, roleIds: [roleId] },
          ],
          ['userRole.created', { userId, roleId }],
          ['server.updated', { id: home.server.id, memberCount: memberCount + 1 }],
          ['secret.created', { id, userId, roleId, key: undefined }],
        ],
      };
    },
  },
  {
    operation: 'secretDelete',
    what: 'a key',
    async write({ home }) {
      const { key: _key, ...secret } = await home.secret();
      return { method: 'DELETE', path: `/secrets/${secret.id}`, home: () => [['secret.deleted', secret]] };
    },
  },
];

/** Who is in a server, and what they may. */
export const memberCases: readonly EventCase[] = [...roleCases, ...membershipCases, ...otherCases];
