import type { Caller } from '../../access/authenticator.ts';
import { canSeeChannel } from '../../access/visibility.ts';
import { removeTimer, setTimer } from '../../clock/timers.ts';
import type { RowOf } from '../../db/schema.ts';
import { find, insert, prepare, q, remove, update } from '../../db/statements.ts';
import { isInSight } from '../../db/sweep.ts';
import { invalid, notFound } from '../../errors.ts';
import { blockText } from '../../lib/text/blockText.ts';
import type { Call } from '../../operations/call.ts';
import { body, nullable, optional, reference, time } from '../../operations/fields.ts';
import { read } from '../../operations/read.ts';
import { write } from '../../operations/write.ts';
import { load, ownTarget, touched } from '../common.ts';
import { actIn } from '../invitation.ts';
import { pageById, rowsById } from '../lists.ts';
import { storedBlocks } from '../message/blocks/stored.ts';
import { messageTarget } from '../message/load.ts';
import { MAX_CHARACTERS } from '../message/messageRecord.ts';
import { saved, savedEvents, shownSaved, toSaved, toShownSaved } from './savedRecord.ts';

/** Maximum saved messages per person. */
const MAX_SAVED = 2_000;
const DAY_MS = 24 * 60 * 60_000;
/** How far ahead a reminder can be, in days. */
const MAX_DAYS = 366;

const amountOf = prepare((p: { userId: string }) =>
  q
    .selectFrom('saved')
    .select((eb) => eb.fn.countAll<number>().as('amount'))
    .where('userId', '=', p.userId),
);

export const savedOperations = [
  read({
    operation: 'savedMessages',
    people: true,
    path: '/saved',
    tag: 'saved',
    summary: 'List your saved messages',
    description:
      'Returns your saved messages in all servers, newest first, with the content of those that you can still see.',
    visible: 'person',
    answer: shownSaved,
    list: 'many',
    target: ownTarget,
    async run(call, input) {
      const all = q.selectFrom('saved').selectAll().where('userId', '=', call.principal.userId);
      const page = await call.db.all(rowsById(all, input, 'desc'));
      const messages = await visibleMessages(call, page);
      return pageById(page, input.query.limit, (row) =>
        toShownSaved({ ...row, message: messages.get(row.messageId) ?? null }),
      );
    },
  }),

  write({
    operation: 'savedInsert',
    people: true,
    path: '/saved',
    resource: 'saved',
    verb: 'insert',
    summary: 'Save a message',
    description: `With \`remindAt\`, you get a notification of type \`reminder\` at that time, if you can still see the message. Saving a message again changes its reminder; without \`remindAt\` it changes nothing. A person has at most ${MAX_SAVED} saved messages.`,
    body: body({
      messageId: reference(),
      remindAt: optional(
        nullable(time(`In the future, at most ${MAX_DAYS} days ahead; null for no reminder`)),
      ),
    }),
    answer: saved,
    check({ body: { remindAt } }, { now }) {
      if (remindAt == null || (remindAt > now && remindAt <= now + MAX_DAYS * DAY_MS)) return;
      throw invalid('out_of_range', 'remindAt', `must be in the future, at most ${MAX_DAYS} days ahead`);
    },
    async target(call, { body }) {
      const { serverId, channel, message } = await messageTarget(call.db, body.messageId);
      const { userId } = call.principal;
      await actIn(call, serverId);
      return { serverId, ownerId: userId, alsoIn: [userId], channel, message };
    },
    async run({ db, newRow, now, principal, tell }, { body }, { serverId, channel, message }) {
      const { userId } = principal;
      const found = await db.first(find('saved', { userId, messageId: message.id }));
      const { remindAt = found?.remindAt ?? null } = body;
      if (found && found.remindAt === remindAt) return toSaved(found);
      if (!found && Number((await db.first(amountOf({ userId })))?.amount) >= MAX_SAVED)
        throw invalid('quota', '', `you have reached the limit of ${MAX_SAVED} saved messages`);
      const row: RowOf<'saved'> = found
        ? { ...found, remindAt, updatedAt: touched(found, now) }
        : { ...newRow(), userId, serverId, channelId: channel.id, messageId: message.id, remindAt };
      const { id, updatedAt } = row;
      await db.run(found ? update('saved', id, { remindAt, updatedAt }) : insert('saved', row));
      if (remindAt !== null) await setTimer(db, { id, kind: 'reminder', serverId, dueAt: remindAt, now });
      else if (found) await removeTimer(db, id);
      tell(savedEvents.updated, toSaved(row));
      return toSaved(row);
    },
  }),

  write({
    operation: 'savedDelete',
    people: true,
    path: '/saved/:id',
    resource: 'saved',
    verb: 'delete',
    summary: 'Remove a saved message',
    description: 'Also removes the reminder. The message itself is not deleted.',
    answer: saved,
    async target({ db, principal: { userId } }, { params }) {
      const found = await load(db, 'saved', params.id);
      if (found.userId !== userId) throw notFound('saved message');
      return { serverId: found.serverId, ownerId: userId, alsoIn: [userId], found };
    },
    async run({ db, tell }, _input, { found }) {
      await removeTimer(db, found.id);
      await db.run(remove('saved', { id: found.id }));
      tell(savedEvents.deleted, toSaved(found));
      return toSaved(found);
    },
  }),
];

/** Returns the given messages that the caller can see, by id. */
async function visibleMessages(
  { caller, db, services: { authenticator } }: Call,
  page: readonly RowOf<'saved'>[],
): Promise<ReadonlyMap<string, object>> {
  if (page.length === 0) return new Map();
  const rows = await db.all(
    q
      .selectFrom('message')
      .innerJoin('channel', 'channel.id', 'message.channelId')
      .selectAll('message')
      .select(['channel.private', 'channel.readonly', 'channel.roleIds', 'channel.memberIds'])
      .where(
        'message.id',
        'in',
        page.map(({ messageId }) => messageId),
      )
      .where(isInSight),
  );
  const serverIds = [...new Set(rows.map(({ serverId }) => serverId))];
  const viewers = await Promise.all(serverIds.map((id) => authenticator.actingIn(caller as Caller, id)));
  const viewerIn = new Map(serverIds.map((id, index) => [id, viewers[index]?.principal]));
  const seen = rows.filter((row) => {
    const viewer = viewerIn.get(row.serverId);
    return viewer && canSeeChannel(viewer, row.serverId, row);
  });
  return new Map(
    seen.map((row) => {
      const { id, creatorId, threadId, createdAt, attachments } = row;
      const files = ((attachments ?? []) as { name: string }[]).map(({ name }) => name);
      const content = row.content || blockText(storedBlocks(row)).slice(0, MAX_CHARACTERS).toWellFormed();
      return [id, { creatorId, threadId, content, files, createdAt }];
    }),
  );
}
