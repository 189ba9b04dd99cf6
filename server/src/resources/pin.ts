import { isSeen, sightOf } from '../access/whereVisible.ts';
import { find, insert, q, remove, update } from '../db/statements.ts';
import { isInSight } from '../db/sweep.ts';
import { eventsOf } from '../feed/eventKind.ts';
import { Type } from '../lib/schema.ts';
import { exampleOf } from '../operations/examples.ts';
import { body, id, record, reference, time } from '../operations/fields.ts';
import { read } from '../operations/read.ts';
import type { Work } from '../operations/work.ts';
import { write } from '../operations/write.ts';
import { aheadInChannel, channelTarget } from './channel/load.ts';
import { load, recordOf } from './common.ts';
import { pageOf, rowsById } from './lists.ts';
import { messageTarget } from './message/load.ts';
import { messageEvents, shownMessage, toMessage } from './message/messageRecord.ts';
import { requireReachable } from './reachable.ts';

const pin = record('Pin', { serverId: id(), channelId: id(), messageId: id(), creatorId: id() });
const toPin = recordOf(pin);

export const pinEvents = eventsOf(
  'pin',
  { data: pin, audience: 'channel' },
  { created: 'A message was pinned', deleted: 'A message was unpinned or deleted' },
);

const itsPin = Type.Object({ id: id(), creatorId: id('The user who pinned it'), createdAt: time() });
const pinnedMessage = Type.Object(
  { ...shownMessage.properties, pin: itsPin },
  {
    ...{ $id: 'PinnedMessage', title: 'PinnedMessage', additionalProperties: false },
    examples: [{ ...exampleOf(shownMessage, 'message'), pin: exampleOf(itsPin, 'pin') }],
  },
);

export const pinOperations = [
  read({
    operation: 'pinnedMessagesPage',
    path: '/channels/:channelId/pins',
    tag: 'pin',
    summary: "List a channel's pinned messages",
    description: 'Returns the newest pin first.',
    visible: 'channel',
    answer: pinnedMessage,
    list: 'many',
    target: ({ db }, { params }) => channelTarget(db, params.channelId),
    ahead: ({ principal }, { params }) => aheadInChannel(principal, params.channelId),
    async run({ db, principal }, input) {
      const { params, query } = input;
      const sight = db.dialect.isDistant ? sightOf(principal, params.channelId) : undefined;
      let rows = q
        .selectFrom('pin')
        .innerJoin('message', 'message.id', 'pin.messageId')
        .selectAll('message')
        .select(['pin.id as pinId', 'pin.creatorId as pinnedBy', 'pin.createdAt as pinnedAt'])
        .where('pin.channelId', '=', params.channelId)
        .where(isInSight);
      if (sight) rows = rows.where(isSeen(sight));
      return pageOf(
        await db.all(rowsById(rows, input, 'desc', 'pin.id')),
        query.limit,
        (row) => [row.pinId],
        (row) => ({
          ...toMessage(row),
          pin: { id: row.pinId, creatorId: row.pinnedBy, createdAt: row.pinnedAt },
        }),
      );
    },
  }),

  write({
    operation: 'pinInsert',
    path: '/pins',
    resource: 'pin',
    verb: 'insert',
    summary: 'Pin a message',
    body: body({ messageId: reference() }),
    answer: pin,
    async existing({ db }, { body: { messageId } }) {
      const [{ serverId, channel }, found] = await Promise.all([
        messageTarget(db, messageId),
        db.first(find('pin', { messageId })),
      ]);
      return found && { id: found.id, serverId, channel, visible: 'channel' };
    },
    target: ({ db }, { body }) => messageTarget(db, body.messageId),
    async run(call, _input, { serverId, channel, message }) {
      const { db, newRow, principal } = call;
      await requireReachable(db, principal, channel);
      const row = {
        ...newRow(),
        serverId,
        channelId: channel.id,
        messageId: message.id,
        creatorId: principal.userId,
      };
      await db.run(insert('pin', row));
      await call.emit(pinEvents.created, toPin(row));
      await mark(call, message.id, true);
      return toPin(row);
    },
  }),

  write({
    operation: 'pinDelete',
    path: '/pins/:id',
    resource: 'pin',
    verb: 'delete',
    summary: 'Unpin a message',
    answer: pin,
    async target({ db }, { params }) {
      const found = await load(db, 'pin', params.id);
      return { ...(await messageTarget(db, found.messageId)), pin: found };
    },
    async run(call, _input, { channel, pin: found }) {
      await requireReachable(call.db, call.principal, channel);
      await call.db.run(remove('pin', { id: found.id }));
      await call.emit(pinEvents.deleted, toPin(found));
      await mark(call, found.messageId, false);
      return toPin(found);
    },
  }),
];

async function mark({ db, emit }: Work, messageId: string, pinned: boolean): Promise<void> {
  await db.run(update('message', messageId, { pinned }));
  const message = await db.first(find('message', { id: messageId }));
  if (message) await emit(messageEvents.updated, toMessage(message));
}
