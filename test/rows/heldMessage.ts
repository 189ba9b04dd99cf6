import { dataOf } from '../support/expect.ts';
import { toOne } from '../support/randomWrites.ts';
import type { Fields } from '../support/records.ts';
import type { Rule } from '../support/rules.ts';
import type { Scene } from '../support/scene.ts';
import { allIn } from '../support/shown.ts';
import type { Json } from '../support/world.ts';
import { message } from './message.ts';
import type { Noun } from './row.ts';

const held: Fields = {
  serverId: 'id',
  channelId: 'id',
  threadId: 'id?',
  replyToId: 'id?',
  creatorId: 'id',
};
const heldMessage: Fields = { ...held, outcome: 'text?' };

const rule: Rule = { flags: ['canModerate'] };
const withdrawRule: Rule = { ...rule, owner: true };
const PATTERN = 'zzyzxheld';

/** A held message by a member who is not a moderator. */
async function make(scene: Scene): Promise<Json> {
  return recordOf(await send(scene));
}

/** A held message by the scene's owner, or by another member if word rules do not apply to the owner. */
async function makeOwn(scene: Scene): Promise<Json> {
  const own = await send(scene, scene.owner);
  return own.held ? recordOf(own) : make(scene);
}

async function send(scene: Scene, user?: Json): Promise<Json> {
  const path = `/servers/${scene.server.id}/word-rules`;
  const rules: Json[] = dataOf(await scene.admin.get(path));
  if (!rules.some(({ pattern }) => pattern === PATTERN))
    await scene.make(path, { pattern: PATTERN, action: 'hold' });
  const { id: channelId } = await scene.channel({ private: false, readonly: false });
  const author = await scene.world.client(scene.server, ['canEditData'], user ?? (await writer(scene)));
  return scene.make('/messages', { channelId, content: PATTERN }, author);
}

/**
 * A held message's author: a member who may write even without an API key, because an approved message is sent as
 * them.
 */
async function writer(scene: Scene): Promise<Json> {
  const user = await scene.world.user();
  await scene.world.member(scene.server, user);
  const { id: roleId } = await scene.role({ canEditData: true });
  await scene.make('/user-roles', { userId: user.id, roleId });
  return user;
}

function recordOf(held: Json): Json {
  const { serverId, channelId, creatorId, createdAt, updatedAt, id } = held;
  return {
    id,
    createdAt,
    updatedAt,
    serverId,
    channelId,
    threadId: null,
    replyToId: null,
    creatorId,
    outcome: null,
  };
}

export const heldMessages: Noun = {
  name: 'heldMessage',
  group: 'Held Messages',
  limit: 60,
  events: ['created', 'deleted'],
  goesWith: ['channel', 'thread'],
  make,
  all: allIn('held-messages'),
  /** Events contain no text written by members. */
  visible: ({ content: _content, pattern: _pattern, ...rest }) => ({ ...rest, outcome: null }),

  reads: [
    {
      name: 'heldMessagesByServer',
      path: '/servers/:serverId/held-messages',
      answer: { ...held, content: 'text', pattern: 'text' },
      sight: 'server',
      ready: async (scene) => ({ id: (await make(scene)).serverId }),
      listings: [
        {
          order: 'newest',
          open: async (scene) => ({
            path: `/servers/${scene.server.id}/held-messages`,
            add: async () => (await make(scene)).id,
            take: (id) => scene.remove(`/held-messages/${id}`),
          }),
        },
      ],
    },
  ],

  writes: [
    {
      name: 'heldMessageApprove',
      method: 'POST',
      path: '/held-messages/:id/approve',
      answer: message,
      rule,
      usesUp: true,
      ready: async (scene) => ({ id: (await make(scene)).id }),
      events: [
        {
          what: 'a held message',
          write: async ({ home }) => {
            const held = await make(home);
            return {
              id: held.id,
              home: (made) => [
                ['heldMessage.deleted', { ...held, outcome: 'approved' }],
                ['message.created', { id: made.id, content: PATTERN, creatorId: held.creatorId }],
              ],
            };
          },
        },
      ],
      random: [toOne(1, 'heldMessage')],
    },
    {
      name: 'heldMessageDelete',
      method: 'DELETE',
      path: '/held-messages/:id',
      answer: heldMessage,
      rule: withdrawRule,
      ready: async (scene) => ({ id: (await makeOwn(scene)).id }),
      events: [
        {
          what: 'a held message',
          write: async ({ home }) => ({
            id: (await make(home)).id,
            home: (gone) => [['heldMessage.deleted', gone]],
          }),
        },
      ],
      random: [toOne(1, 'heldMessage')],
    },
  ],
};
