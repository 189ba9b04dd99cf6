import { whereChannelVisible } from '../access/whereVisible.ts';
import type { RowOf } from '../db/schema.ts';
import { find, insert, prepare, q, remove, update } from '../db/statements.ts';
import { REPORT_MS } from '../db/tables/report.ts';
import { invalid, notFound } from '../errors.ts';
import { eventsOf } from '../feed/eventKind.ts';
import { MAX_NAME } from '../files/name.ts';
import { Type } from '../lib/schema.ts';
import { blockText } from '../lib/text/blockText.ts';
import { body, id, nullable, oneOf, optional, record, reference, text, time } from '../operations/fields.ts';
import { read } from '../operations/read.ts';
import type { Work } from '../operations/work.ts';
import { write } from '../operations/write.ts';
import { MAX_ATTACHMENTS } from './attached.ts';
import { load, recordOf, serverTarget, touched } from './common.ts';
import { pageById, rowsById } from './lists.ts';
import { storedBlocks } from './message/blocks/stored.ts';
import { channelFacts, messageTarget } from './message/load.ts';
import { content, MAX_CHARACTERS } from './message/messageRecord.ts';
import { notifyModerators, reportNotice, withdrawReport } from './reportNotice.ts';

/** Maximum open reports by the same member in a server. */
const MAX_OPEN_BY_MEMBER = 50;

const fields = {
  serverId: id(),
  channelId: nullable(id('The channel of the message; null for a direct message')),
  messageId: id(),
  authorId: id('The author of the message'),
  creatorId: id('The member who reported it'),
  state: oneOf(['open', 'resolved', 'dismissed']),
  closedAt: nullable(time()),
  closerId: nullable(id('The moderator who closed it')),
};

/** A report without the texts that members wrote, as it appears in events and in the responses to writes. */
const report = record('Report', fields);
const toReport = recordOf(report);

const reason = text({ min: 1, max: 1_000, examples: ['Insults another member'] });

const shownReport = record('ShownReport', {
  ...fields,
  reason: text({ max: 1_000, examples: ['Insults another member'] }),
  copy: nullable(
    Type.Object(
      {
        content,
        files: Type.Array(text({ min: 1, max: MAX_NAME, examples: ['harbour.jpg'] }), {
          maxItems: MAX_ATTACHMENTS,
          description: "The names of the message's files",
        }),
      },
      {
        additionalProperties: false,
        description: 'The message when it was reported; null once the report is closed',
        examples: [{ content: 'You fool', files: [] }],
      },
    ),
  ),
});
const toShown = recordOf(shownReport);

export const reportEvents = eventsOf(
  'report',
  { data: report, audience: 'reports' },
  {
    created: 'A message was reported',
    updated: 'A report was closed, or its reporter was erased',
    deleted: 'The author of a reported message was erased',
  },
);

const openBy = prepare((p: { creatorId: string; serverId: string }) =>
  q
    .selectFrom('report')
    .select((eb) => eb.fn.countAll<number>().as('amount'))
    .where('creatorId', '=', p.creatorId)
    .where('serverId', '=', p.serverId)
    .where('state', '=', 'open'),
);

/** Returns the text of a message and of its blocks, except link previews, for the copy in a report. */
const copiedText = (message: RowOf<'message'>): string =>
  [message.content, blockText(storedBlocks(message).filter(({ type }) => type !== 'preview'))]
    .filter((text) => text !== '')
    .join('\n\n')
    .slice(0, MAX_CHARACTERS)
    .toWellFormed();

export const reportOperations = [
  read({
    operation: 'reportsByServer',
    path: '/servers/:serverId/reports',
    tag: 'report',
    summary: "List a server's reports",
    description:
      'Returns the reports of the last 90 days, newest first: reports of messages in channels that you can see, and of direct messages.',
    visible: 'reports',
    query: Type.Object({ state: optional(oneOf(['open', 'resolved', 'dismissed'])) }),
    answer: shownReport,
    list: 'many',
    target: serverTarget,
    async run({ db, now, principal }, input) {
      let rows = q
        .selectFrom('report')
        .leftJoin('channel', 'channel.id', 'report.channelId')
        .selectAll('report')
        .where('report.serverId', '=', input.params.serverId)
        .where('report.createdAt', '>', now - REPORT_MS)
        .where((eb) => eb.or([eb('report.channelId', 'is', null), whereChannelVisible(principal)]));
      const { state } = input.query;
      if (state !== undefined) rows = rows.where('report.state', '=', state);
      const page = await db.all(rowsById(rows, input, 'desc', 'report.id'));
      return pageById(page, input.query.limit, toShown);
    },
  }),

  write({
    operation: 'reportInsert',
    path: '/reports',
    resource: 'report',
    verb: 'insert',
    summary: 'Report a message to the moderators',
    description:
      'The message can be in a channel or a direct message. Moderators can see a copy of the message, and who reported it, until they close the report, for at most 90 days. The author of the message is not notified.',
    body: body({ messageId: reference(), reason }),
    answer: report,
    async existing({ db, principal }, { body: { messageId } }) {
      const { serverId, channel } = await messageTarget(db, messageId);
      const found = await db.first(find('report', { messageId, creatorId: principal.userId }));
      return found && { id: found.id, serverId, channel, visible: 'reports' };
    },
    target: ({ db }, { body }) => messageTarget(db, body.messageId),
    async run(call, { body }, { serverId, channel, message }) {
      const { db, emit, newRow, principal } = call;
      const { userId: creatorId } = principal;
      if (Number((await db.first(openBy({ creatorId, serverId })))?.amount) >= MAX_OPEN_BY_MEMBER)
        throw invalid('quota', '', `you already have ${MAX_OPEN_BY_MEMBER} open reports in this server`);
      const parties = { authorId: message.creatorId, creatorId };
      const notice = await reportNotice(db, channel, parties);
      const files = ((message.attachments ?? []) as { name: string }[]).map(({ name }) => name);
      const row: RowOf<'report'> = {
        ...newRow(),
        serverId,
        channelId: channel.memberIds ? null : channel.id,
        messageId: message.id,
        ...parties,
        reason: body.reason,
        copy: { content: copiedText(message), files },
        state: 'open',
        closedAt: null,
        closerId: null,
      };
      await db.run(insert('report', row));
      await emit(reportEvents.created, toReport(row));
      await notifyModerators(call, notice, row);
      return toReport(row);
    },
  }),

  write({
    operation: 'reportClose',
    path: '/reports/:id',
    resource: 'report',
    verb: 'update',
    summary: 'Close a report',
    description: 'Deletes the copy of the message. A closed report cannot be reopened.',
    body: body({
      id: optional(reference()),
      state: optional(oneOf(['resolved', 'dismissed'], '`dismissed` if there was nothing to do')),
    }),
    answer: report,
    async target({ db, now }, { params }) {
      const found = await load(db, 'report', params.id);
      if (found.createdAt <= now - REPORT_MS) throw notFound('report');
      const channel = found.channelId === null ? undefined : await channelFacts(db, found.channelId);
      return { serverId: found.serverId, channel, found };
    },
    async run(call, { body: { state } }, { found }) {
      const { db, emit, now, principal } = call;
      if (state === undefined || state === found.state) return toReport(found);
      const updatedAt = touched(found, now);
      const closedAt = found.closedAt ?? now;
      const set = { state, copy: null, closedAt, closerId: principal.userId, updatedAt };
      await db.run(update('report', found.id, set));
      await emit(reportEvents.updated, toReport({ ...found, ...set }));
      await withdrawReport(call, found);
      return toReport({ ...found, ...set });
    },
  }),
];

/**
 * Removes the data of an erased user from a report: the whole report if they wrote the message, or the reason
 * if they reported it.
 */
export async function eraseReport(work: Work, found: RowOf<'report'>, userId: string): Promise<void> {
  const { db, emit, now } = work;
  if (found.authorId === userId) {
    await withdrawReport(work, found);
    await db.run(remove('report', { id: found.id }));
    await emit(reportEvents.deleted, toReport(found));
  } else {
    const set = { reason: '', updatedAt: touched(found, now) };
    await db.run(update('report', found.id, set));
    await emit(reportEvents.updated, toReport({ ...found, ...set }));
  }
}
