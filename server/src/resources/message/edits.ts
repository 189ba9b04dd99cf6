import type { Static } from 'typebox';
import type { Reader } from '../../db/contract.ts';
import { prepare, q } from '../../db/statements.ts';
import { invalid } from '../../errors.ts';
import { eventIdOf, positionOfEventId } from '../../feed/eventId.ts';
import { latestPosition, oldestPosition } from '../../feed/positions.ts';
import { Type } from '../../lib/schema.ts';
import { flag, id, nullable, optional, text, time } from '../../operations/fields.ts';
import { read } from '../../operations/read.ts';
import { messageTarget } from './load.ts';
import { content } from './messageRecord.ts';

/** Log events scanned per statement. Takes about two milliseconds on the embedded engine. */
const SPAN_EVENTS = 2_000;
/** Rows per statement: a message may have as many events as it has reactions. */
const STEP_ROWS = 100;
/** Statements per request. */
const STEPS = 20;

const version = Type.Object({
  content,
  at: time('When the message got this content: its `createdAt`, or `editedAt` at the time'),
  userId: nullable(id('The user who wrote it; null for Palaver itself')),
});
type Version = Static<typeof version>;

/** A message's previous contents, as far back as the log was scanned. */
const edits = Type.Object(
  {
    versions: Type.Array(version, {
      description:
        'Oldest first; the last one of the last page is the current one. A page may start with the last one of the previous page',
    }),
    hasFirst: flag('False if the original content is unknown because its event is no longer kept', true),
    after: nullable(
      text({
        max: 100,
        description:
          '`after` for the next page; null on the last one. A page can be empty and still have a next one',
      }),
    ),
  },
  { $id: 'Edits', title: 'Edits', additionalProperties: false },
);

/** The `created` event is never earlier than the message, and at most this much later, in ms. */
const SENT_WITHIN_MS = 60_000;
/** The order of events within one transaction may differ from the order of their times. */
const MARGIN_EVENTS = 500;

const firstSince = prepare((p: { logId: string; from: number; to: number }) =>
  q
    .selectFrom('event')
    .select('seq')
    .where('at', '>=', p.from)
    .where('at', '<=', p.to)
    .where('logId', '=', p.logId)
    .orderBy('at')
    .orderBy('seq')
    .limit(1),
);

/**
 * The log position before which there are no events about the message; the start of the log if the
 * `created` event has expired.
 */
async function beginOf(db: Reader, { serverId: logId, createdAt }: Message): Promise<number> {
  const { seq } = await oldestPosition(db, logId);
  const first = await db.first(firstSince({ logId, from: createdAt, to: createdAt + SENT_WITHIN_MS }));
  return first ? Math.max(seq, first.seq - 1 - MARGIN_EVENTS) : seq;
}

/**
 * The created and updated events of a message in a range of the log. Events of its replies match too,
 * because they contain its id.
 */
const changes = prepare((p: { logId: string; after: number; to: number; channelId: string; like: string }) =>
  q
    .selectFrom('event')
    .select(['seq', 'actorId', 'data'])
    .where('logId', '=', p.logId)
    .where('seq', '>', p.after)
    .where('seq', '<=', p.to)
    .where('type', 'in', ['message.created', 'message.updated'])
    .where('channelId', '=', p.channelId)
    .where('data', 'like', p.like)
    .orderBy('seq')
    .limit(STEP_ROWS),
);

interface Message {
  id: string;
  serverId: string;
  channelId: string;
  createdAt: number;
  editedAt: number | null;
}

/** Scans the log from a position until it reaches the current content or the limits of one request. */
async function readOn(db: Reader, message: Message, after: number) {
  const { serverId: logId, channelId } = message;
  const like = `%${message.id}%`;
  const versions: Version[] = [];
  const isWhole = () => versions.at(-1)?.at === (message.editedAt ?? message.createdAt);
  const end = (await latestPosition(db, logId)).seq;
  let seq = after;
  for (let step = 0; step < STEPS && seq < end && !isWhole(); step++) {
    const to = Math.min(end, seq + SPAN_EVENTS);
    const rows = await db.inTurn((db) => db.all(changes({ logId, after: seq, to, channelId, like })));
    for (const { actorId: userId, data } of rows) {
      const shown: Message & { content: string } = JSON.parse(data);
      const at = shown.editedAt ?? shown.createdAt;
      if (shown.id === message.id && at !== versions.at(-1)?.at)
        versions.push({ content: shown.content, at, userId });
    }
    seq = rows.length === STEP_ROWS ? (rows.at(-1)?.seq ?? to) : to;
  }
  return { versions, seq, isOver: isWhole() || seq >= end };
}

export const messageEdits = read({
  operation: 'messageEdits',
  people: true,
  path: '/messages/:messageId/edits',
  tag: 'message',
  kind: 'view',
  summary: "List a message's versions",
  description: 'Reads the edit history from the event log, which everyone who can see the channel can read.',
  visible: 'channel',
  query: Type.Object({
    after: optional(text({ min: 1, max: 100, description: '`after` of the previous page' })),
  }),
  answer: edits,
  target: ({ db }, { params }) => messageTarget(db, params.messageId),
  async run({ db }, { query }, target) {
    const { message } = await target;
    const { serverId: logId, createdAt } = message;
    const begin = query.after === undefined ? undefined : positionOfEventId(logId, query.after)?.seq;
    if (query.after !== undefined && begin === undefined)
      throw invalid('unknown_value', 'after', "is not a cursor of this message's log");
    const { versions, seq, isOver } = await readOn(db, message, begin ?? (await beginOf(db, message)));
    const { epoch } = await latestPosition(db, logId);
    return {
      versions,
      hasFirst: begin !== undefined || versions[0]?.at === createdAt,
      after: isOver ? null : eventIdOf(logId, { seq, epoch }),
    };
  },
});
