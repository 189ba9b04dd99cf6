import type { EventCase, EventStage, Line } from '../support/eventStage.ts';
import type { Json } from '../support/world.ts';

// Deletes that remove or change records of other nouns, each with the resulting events in order.

const UNREACHABLE = 'https://receiver.invalid/palaver';

export const channelDeletes: readonly [EventCase, ...EventCase[]] = [
  {
    what: 'a channel with content of every kind',
    async write({ home, guest, guestUser }) {
      const { id: channelId } = await home.channel();
      const message = await home.message({ channelId, content: `@${guestUser.username}` });
      await home.make('/pins', { messageId: message.id });
      await home.make('/reactions', { messageId: message.id, emoji: '🎉' }, guest);
      const thread = await home.thread({ messageId: message.id });
      await home.message({ threadId: thread.id });
      return { id: channelId, home: (made) => [['channel.deleted', made]] };
    },
  },
  {
    what: 'a channel with a webhook that sends its events',
    async write({ home }) {
      const { id: channelId } = await home.channel();
      const { secret: _secret, ...webhook } = await home.webhook({ url: UNREACHABLE, channelId });
      return {
        id: channelId,
        home: () => [
          ['channel.deleted', { id: channelId }],
          ['webhook.deleted', webhook],
        ],
      };
    },
  },
];

export const messageDeletes: readonly [EventCase, ...EventCase[]] = [
  {
    what: 'a reply in a thread, with a pin, reactions, a notification and an empty thread',
    async write({ home, guest, guestUser }) {
      const above = await home.thread();
      const { id, channelId } = await home.message({ threadId: above.id, content: `@${guestUser.username}` });
      const [notification] = (await guest.get('/notifications')).data;
      const pin = await home.make('/pins', { messageId: id });
      const mine = await home.make('/reactions', { messageId: id, emoji: '👍' });
      const other = await home.make('/reactions', { messageId: id, emoji: '🎉' }, guest);
      const [ofReaction] = (await home.admin.get('/notifications')).data;
      const thread = await home.thread({ messageId: id });
      return {
        id,
        home: () => [
          ['message.deleted', { id, channelId, pinned: true }],
          ['pin.deleted', pin],
          ['reaction.deleted', mine],
          ['reaction.deleted', other],
          ['notification.deleted', notification],
          ['notification.deleted', ofReaction],
          ['thread.deleted', thread],
          ['thread.updated', { id: above.id, replyCount: 0, lastReplyAt: null }],
        ],
      };
    },
  },
  {
    what: 'a message whose threads have replies',
    async write({ home }) {
      const { id } = await home.message();
      const threads = [await home.thread({ messageId: id }), await home.thread({ messageId: id })];
      for (const thread of threads) await home.message({ threadId: thread.id });
      return {
        id,
        home: () => [
          ['message.deleted', { id }],
          ...threads.map(
            (thread): Line => ['thread.updated', { id: thread.id, messageId: null, replyCount: 1 }],
          ),
        ],
      };
    },
  },
];

export const threadDeletes: readonly [EventCase, ...EventCase[]] = [
  {
    what: 'a thread whose replies have threads',
    async write({ home, guest, guestUser }) {
      const thread = await home.thread();
      const reply = await home.message({ threadId: thread.id, content: `@${guestUser.username}` });
      await home.make('/pins', { messageId: reply.id });
      await home.make('/reactions', { messageId: reply.id, emoji: '🎉' }, guest);
      const empty = await home.thread({ messageId: reply.id });
      const full = await home.thread({ messageId: reply.id });
      await home.message({ threadId: full.id });
      return {
        id: thread.id,
        home: () => [
          ['thread.deleted', { id: thread.id, replyCount: 1 }],
          ['thread.deleted', empty],
          ['thread.updated', { id: full.id, messageId: null, replyCount: 1 }],
        ],
      };
    },
  },
];

export const roleDeletes: readonly [EventCase, ...EventCase[]] = [
  {
    what: 'a role with keys, members and private channels',
    async write(stage) {
      const { home, guest, guestUser } = stage;
      const role = await home.role();
      const other = await home.role();
      const inside = await home.channel({ private: true, roleIds: [other.id, role.id] });
      await home.channel({ private: true, roleIds: [other.id] });
      const { key: _key, ...secret } = await home.secret({ roleId: role.id, userId: home.owner.id });
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
      return {
        id: role.id,
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
];

const ofMinter: EventCase = {
  what: 'a member who made a key, webhooks and agents',
  async write(stage) {
    const { home, world } = stage;
    const user = await world.user();
    const minter = await world.client(home.server, ['canAdmin'], user);
    const channelId = (await home.channel()).id;
    const own = { kind: 'apiKey', name: 'Own', userId: user.id };
    const { key: _own, ...ownSecret } = await home.make('/secrets', own, minter);
    const { key: _key, ...secret } = await home.make('/secrets', { kind: 'apiKey', name: 'Bot' }, minter);
    const { secret: _secret, ...sender } = await home.make('/webhooks', { url: UNREACHABLE }, minter);
    const receiver = await home.make('/webhooks', { direction: 'in', channelId }, minter);
    const count = await stage.memberCount();
    const [member, ...agents] = await Promise.all(
      [user.id, secret.userId, receiver.userId].map((userId) => stage.member(userId)),
    );
    const gone = ({ id, userId, roleIds }: Json): Line => [
      'serverMember.deleted',
      { id, userId, user: { id: userId }, roleIds },
    ];
    const emptied = ({ userId, roles }: Json, memberCount: number): Line[] => [
      ...roles.map((role: Json): Line => ['userRole.deleted', { id: role.id, userId }]),
      ['server.updated', { id: home.server.id, memberCount }],
    ];
    return {
      id: member.id,
      home: () => [
        gone(member),
        ['secret.deleted', { id: minter.secret.id }],
        ['secret.deleted', ownSecret],
        ['secret.deleted', secret],
        ['webhook.deleted', sender],
        ['webhook.deleted', { id: receiver.id }],
        ...emptied(member, count - 1),
        ...agents.flatMap((agent, index) => [gone(agent), ...emptied(agent, count - 2 - index)]),
      ],
    };
  },
};

/** A member with keys and roles, and the events when the member is removed. */
export async function memberEnd(
  stage: EventStage,
): Promise<{ memberId: string; userId: string; lines: Line[] }> {
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
    memberId: id,
    userId: user.id,
    lines: [
      ['serverMember.deleted', { id, userId: user.id, user: { id: user.id }, roleIds }],
      ...keys.map(({ secret }): Line => ['secret.deleted', { id: secret.id, userId: user.id }]),
      ...rolesById.map((role: Json): Line => ['userRole.deleted', { id: role.id, roleId: role.roleId }]),
      ['server.updated', { id: home.server.id, memberCount }],
    ],
  };
}

export const memberDeletes: readonly [EventCase, ...EventCase[]] = [
  ofMinter,
  {
    what: 'a member with keys and roles',
    async write(stage) {
      const { memberId, lines } = await memberEnd(stage);
      return { id: memberId, home: () => lines };
    },
  },
];

export const appDeletes: readonly [EventCase, ...EventCase[]] = [
  {
    what: 'an app installed in two servers, with secrets in both',
    async write({ home, away }) {
      const app = await home.submitted();
      const install = await home.install(app.id);
      const other = await away.install(app.id);
      const kept = { kind: 'appSecret', appId: app.id, value: 'what nobody may know' };
      const secrets = [await home.secret(kept), await away.secret(kept)];
      const shown = { id: app.id, installCount: 2 };
      return {
        id: app.id,
        home: () => [
          ['app.deleted', shown],
          ['appInstall.deleted', { ...install, app: shown }],
          ['secret.deleted', secrets[0]],
        ],
        away: () => [
          ['appInstall.deleted', { ...other, app: shown }],
          ['secret.deleted', secrets[1]],
        ],
      };
    },
  },
];
