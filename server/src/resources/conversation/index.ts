import { hash } from 'node:crypto';
import { conditions, requireCondition } from '../../access/conditions.ts';
import { isInPerson } from '../../access/predicates.ts';
import type { Reader } from '../../db/contract.ts';
import { find, insert, prepare, q } from '../../db/statements.ts';
import { invalid, notFound } from '../../errors.ts';
import { isId } from '../../lib/deps.ts';
import { Type } from '../../lib/schema.ts';
import { sampleId } from '../../operations/examples.ts';
import type { Existing } from '../../operations/existing.ts';
import { body, optional, reference } from '../../operations/fields.ts';
import { read } from '../../operations/read.ts';
import { write } from '../../operations/write.ts';
import { channel, channelEvents, toChannel } from '../channel/channelRecord.ts';
import { load, ownTarget, serverIdOf } from '../common.ts';
import { pageOf, rowsById } from '../lists.ts';
import { recipientsIn, requireAgentsAllowed } from '../reachable.ts';

/** Maximum members of a direct message. */
export const MAX_MEMBERS = 10;
/** Maximum direct messages of a user per server. Checked only for the user who creates one. */
const MAX_CONVERSATIONS = 5_000;

/**
 * Returns the `nameKey` of the direct message between these users. It is unique per set of users. No
 * channel's name contains its first character, so it never equals another channel's `nameKey`.
 */
export const conversationKey = (memberIds: readonly string[]): string =>
  `\u0001${hash('sha256', memberIds.join(), 'hex')}`;

/** Returns all members of a direct message, sorted: the given users and the caller. */
const membersOf = (userIds: readonly string[], callerId: string): string[] =>
  [...new Set([...userIds, callerId])].sort();

/** Selects the direct messages of a user in servers of which they are a member. */
const conversationsOf = (userId: string) =>
  q
    .selectFrom('channelMember')
    .innerJoin('serverMember', (join) =>
      join
        .onRef('serverMember.serverId', '=', 'channelMember.serverId')
        .onRef('serverMember.userId', '=', 'channelMember.userId'),
    )
    .innerJoin('channel', 'channel.id', 'channelMember.channelId')
    .selectAll('channel')
    .select('channelMember.latestId')
    .where('channelMember.userId', '=', userId);

const amountOf = prepare((p: { userId: string; serverId: string }) =>
  q
    .selectFrom('channelMember')
    .select((eb) => eb.fn.countAll<number>().as('amount'))
    .where('userId', '=', p.userId)
    .where('serverId', '=', p.serverId),
);

export const conversationOperations = [
  read({
    operation: 'conversations',
    path: '/conversations',
    tag: 'conversation',
    summary: 'List your direct messages',
    description:
      "Returns the most recently active direct messages first. An agent's key lists the agent's direct messages. A person's key lists none, because direct messages require a session.",
    visible: 'self',
    query: Type.Object({ serverId: optional(reference('Only direct messages in this server')) }),
    answer: channel,
    list: 'many',
    target: ownTarget,
    async run({ db, principal }, input) {
      const { serverId: asked } = input.query;
      if (!isInPerson(principal) || (asked !== undefined && !isId(asked))) return { records: [], next: null };
      let rows = conversationsOf(principal.userId);
      if (asked !== undefined) rows = rows.where('channelMember.serverId', '=', asked);
      // A key acts only in its own server.
      if (!principal.isSignedIn) rows = rows.where('channelMember.serverId', '=', principal.serverId);
      const page = await db.all(rowsById(rows, input, 'desc', 'channelMember.latestId'));
      return pageOf(page, input.query.limit, ({ latestId }) => [latestId], toChannel);
    },
  }),

  write({
    operation: 'conversationInsert',
    path: '/conversations',
    resource: 'conversation',
    verb: 'insert',
    summary: 'Start a direct message',
    description: `Starts a direct message between you and one to ${MAX_MEMBERS - 1} other members of a server. Only its members can see it; admins, the owner and webhooks cannot. Other operations take its id as \`channelId\`. The same people can have only one direct message per server. To add someone, start a new one.`,
    body: body({
      serverId: optional(reference()),
      userIds: Type.Array(reference(), {
        minItems: 1,
        maxItems: MAX_MEMBERS,
        description: 'The other members; you may be included',
        examples: [[sampleId('user')]],
      }),
    }),
    examples: { 'With one person': { userIds: [sampleId('user')] } },
    answer: channel,
    async existing(call, { body: { serverId, userIds } }) {
      return between(call.db, await serverIdOf(call, serverId), membersOf(userIds, call.principal.userId));
    },
    async target(call, { body: { serverId } }) {
      return { serverId: await serverIdOf(call, serverId), ownerId: call.principal.userId };
    },
    async run(call, { body: { userIds } }, { serverId }) {
      const { db, emit, newRow, principal } = call;
      const { userId } = principal;
      const memberIds = membersOf(userIds, userId);
      if (memberIds.length < 2) throw invalid('too_few', 'userIds', 'must include someone other than you');
      if (memberIds.length > MAX_MEMBERS)
        throw invalid('too_many', 'userIds', `must contain at most ${MAX_MEMBERS - 1} people other than you`);
      const others = memberIds.filter((id) => id !== userId);
      if (!others.every(isId)) throw notFound('user');
      const recipients = await recipientsIn(db, { serverId, senderId: userId, userIds: others });
      const present = new Set(recipients.map(({ id }) => id));
      for (const id of others) if (!present.has(id)) await requireStranger(db, id);
      requireCondition(principal, conditions.acceptsMessages, {
        refusing: recipients.some(({ accepts }) => !accepts),
      });
      requireAgentsAllowed(principal, recipients, 'userIds');
      if (Number((await db.first(amountOf({ userId, serverId })))?.amount) >= MAX_CONVERSATIONS)
        throw invalid(
          'quota',
          '',
          `you have reached the limit of ${MAX_CONVERSATIONS} direct messages in a server`,
        );
      const row = {
        ...newRow(),
        ...{
          serverId,
          kind: 'dm' as const,
          name: '',
          nameKey: conversationKey(memberIds),
          description: null,
        },
        ...{
          private: true,
          readonly: false,
          position: 0,
          creatorId: userId,
          roleIds: [],
          memberIds,
          image: null,
        },
      };
      await db.run(insert('channel', row));
      for (const id of memberIds)
        await db.run(insert('channelMember', { channelId: row.id, userId: id, serverId, latestId: row.id }));
      await emit(channelEvents.created, toChannel(row));
      return toChannel(row);
    },
  }),
];

/**
 * Throws NOT_FOUND if the user does not exist, otherwise INVALID_REQUEST because they are not a member of the
 * server.
 */
async function requireStranger(db: Reader, userId: string): Promise<never> {
  await load(db, 'user', userId);
  throw invalid('mismatch', 'userIds', 'contains a user who is not a member of the server');
}

/** Finds the direct message between these users. */
async function between(
  db: Reader,
  serverId: string,
  memberIds: readonly string[],
): Promise<Existing | undefined> {
  const found = await db.first(find('channel', { serverId, nameKey: conversationKey(memberIds) }));
  if (!found) return undefined;
  const message = 'these people already have a direct message in this server';
  return { id: found.id, serverId, channel: found, visible: 'channel', message };
}
