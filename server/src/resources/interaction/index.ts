import { whereChannelVisible } from '../../access/whereVisible.ts';
import { q } from '../../db/statements.ts';
import { isId } from '../../lib/deps.ts';
import { Type } from '../../lib/schema.ts';
import type { Call } from '../../operations/call.ts';
import { oneOf, optional, reference, text } from '../../operations/fields.ts';
import { read } from '../../operations/read.ts';
import { load, loadPart, MAX_NAMED, namedIdsIn, namedIn } from '../common.ts';
import { pageById, rowsById } from '../lists.ts';
import { channelFacts } from '../message/load.ts';
import { interactionAnswer } from './answer.ts';
import { interactionInsert } from './insert.ts';
import { interactionStates, shownInteraction, toShownInteraction } from './interactionRecord.ts';

/** Loads an interaction as the target of a read by its agent or person. */
async function seenBy({ db, principal }: Call, interactionId: string) {
  const columns = ['serverId', 'channelId', 'agentId', 'userId'] as const;
  const found = await loadPart(db, 'interaction', interactionId, ...columns);
  const { serverId, channelId, agentId, userId } = found;
  const ownerId = principal.userId === userId ? userId : agentId;
  return { serverId, ownerId, channel: await channelFacts(db, channelId) };
}

export const interactionOperations = [
  read({
    operation: 'interactions',
    path: '/interactions',
    tag: 'interaction',
    summary: 'List your interactions',
    description:
      'Returns the interactions of the last 30 days in channels that you can see, newest first. People get their own interactions, and agents those that they are asked to answer.',
    visible: 'anyone',
    query: Type.Object({
      channelId: optional(reference('Only interactions in this channel')),
      messageIds: optional(
        text({
          min: 1,
          max: 4_000,
          description: `Only interactions with these messages, up to ${MAX_NAMED} ids, separated by commas`,
        }),
      ),
      state: optional(oneOf(interactionStates)),
    }),
    answer: shownInteraction,
    list: 'many',
    target({ principal }, { query }) {
      namedIn(query, 'messageIds');
      return principal;
    },
    async run({ db, principal }, input) {
      const { query } = input;
      const { channelId } = query;
      const messageIds = namedIdsIn(query, 'messageIds');
      if (messageIds?.length === 0 || (channelId !== undefined && !isId(channelId)))
        return { records: [], next: null };
      const own = principal.userType === 'agent' ? 'interaction.agentId' : 'interaction.userId';
      let rows = q
        .selectFrom('interaction')
        .innerJoin('channel', 'channel.id', 'interaction.channelId')
        .selectAll('interaction')
        .where(own, '=', principal.userId)
        .where('interaction.serverId', '=', principal.serverId)
        .where(whereChannelVisible(principal));
      if (channelId !== undefined) rows = rows.where('interaction.channelId', '=', channelId);
      if (query.state !== undefined) rows = rows.where('interaction.state', '=', query.state);
      if (messageIds) rows = rows.where('interaction.messageId', 'in', messageIds);
      const page = await db.all(rowsById(rows, input, 'desc', 'interaction.id'));
      return pageById(page, query.limit, toShownInteraction);
    },
  }),

  read({
    operation: 'interactionById',
    path: '/interactions/:interactionId',
    tag: 'interaction',
    summary: 'Get an interaction',
    description: "Only the interaction's agent and the person who acted can read it.",
    visible: 'owner',
    answer: shownInteraction,
    target: (call, { params }) => seenBy(call, params.interactionId),
    run: async ({ db }, { params }) =>
      toShownInteraction(await load(db, 'interaction', params.interactionId)),
  }),

  interactionInsert,
  interactionAnswer,
];
