import { messagesOf } from '../../db/byAuthor.ts';
import type { Reader, Reads, SqlDialect } from '../../db/contract.ts';
import { prepareKnown } from '../../db/known.ts';
import type { RowOf } from '../../db/schema.ts';
import { q } from '../../db/statements.ts';
import { isInSight } from '../../db/sweep.ts';
import { FIRST_ID } from '../../lib/deps.ts';
import { previewsOf } from '../../resources/message/previews/want.ts';

/** Messages per page. */
export const PAGE_ROWS = 500;
/** Maximum attempts to read a page whose reactions keep changing. */
const MAX_TRIES = 5;

/** A page of a channel's messages with their reactions, pins and files, except pictures of link previews. */
export interface MessagesPage {
  messages: RowOf<'message'>[];
  reactions: Map<string, RowOf<'reaction'>[]>;
  pins: Map<string, RowOf<'pin'>>;
  files: Map<string, RowOf<'attachment'>[]>;
}

/** The position and scope of a page. */
export interface Place {
  channelId: string;
  after: string;
  /** Only messages up to this id are exported, so an export ends even while people are writing. */
  until: string;
  creatorId?: string | undefined;
}

type Ided = { id: string };

const reactionsOf = prepareKnown<Ided, RowOf<'reaction'>>({ id: 'uuid' }, (known) =>
  q
    .selectFrom(known.as('known'))
    .innerJoin('reaction', 'reaction.messageId', 'known.id')
    .selectAll('reaction')
    .orderBy('reaction.id'),
);
const pinsOf = prepareKnown<Ided, RowOf<'pin'>>({ id: 'uuid' }, (known) =>
  q.selectFrom(known.as('known')).innerJoin('pin', 'pin.messageId', 'known.id').selectAll('pin'),
);
const filesOf = prepareKnown<Ided, RowOf<'attachment'>>({ id: 'uuid' }, (known) =>
  q
    .selectFrom(known.as('known'))
    .innerJoin('attachment', 'attachment.messageId', 'known.id')
    .selectAll('attachment')
    .orderBy('attachment.id'),
);

/**
 * Returns the page of messages after a position. Reads the page again if its messages change while it is
 * read, because the counts in a message must match its reactions.
 */
export async function messagesAfter(db: Reader, place: Place): Promise<MessagesPage> {
  return db.inTurn(async (reads) => {
    for (let tries = 1; ; tries++) {
      const messages = await reads.all(pageOf(reads.dialect, place));
      const ids = messages.map(({ id }) => ({ id }));
      const [reactions, pins, files] = [
        await reads.all(reactionsOf(reads.dialect, ids)),
        await reads.all(pinsOf(reads.dialect, ids)),
        await reads.all(filesOf(reads.dialect, ids)),
      ];
      const pictures = new Set(
        messages.flatMap((message) => (previewsOf(message) ?? []).map(({ image }) => image?.id)),
      );
      const own = files.filter(({ id }) => !pictures.has(id));
      const page = { messages, reactions: byMessage(reactions), files: byMessage(own) };
      const pinned = new Map(pins.map((pin) => [pin.messageId, pin]));
      if (tries === MAX_TRIES || (await isStill(reads, place, messages))) return { ...page, pins: pinned };
    }
  });
}

function pageOf(dialect: SqlDialect, { channelId, after, until, creatorId }: Place) {
  if (creatorId === undefined)
    return q
      .selectFrom('message')
      .selectAll()
      .where('channelId', '=', channelId)
      .where('id', '>', after)
      .where('id', '<=', until)
      .where(isInSight)
      .orderBy('channelId')
      .orderBy('id')
      .limit(PAGE_ROWS);
  const range = { channelId, order: 'asc', first: after, last: until } as const;
  const ids = messagesOf(dialect, range, creatorId)
    .select('id')
    .where('id', '>', after)
    .where(isInSight)
    .limit(PAGE_ROWS);
  return q.selectFrom('message').selectAll().where('id', 'in', ids).orderBy('id');
}

/**
 * Whether the messages are unchanged since they were read. Only then do the counts in a message match its
 * reactions.
 */
async function isStill(reads: Reads, place: Place, messages: readonly RowOf<'message'>[]): Promise<boolean> {
  const now = await reads.all(pageOf(reads.dialect, place));
  return (
    now.length === messages.length &&
    now.every(
      ({ id, updatedAt }, index) => id === messages[index]?.id && updatedAt === messages[index]?.updatedAt,
    )
  );
}

const byMessage = <R extends { messageId: string | null }>(rows: readonly R[]): Map<string, R[]> =>
  Map.groupBy(rows, ({ messageId }) => messageId as string);

/** Yields the threads of a channel, oldest first, page by page. */
export async function* threadsOf(db: Reader, channelId: string): AsyncGenerator<RowOf<'thread'>[]> {
  for (let after = FIRST_ID; ; ) {
    const page = await db.inTurn((reads) =>
      reads.all(
        q
          .selectFrom('thread')
          .selectAll()
          .where('channelId', '=', channelId)
          .where('id', '>', after)
          .orderBy('id')
          .limit(PAGE_ROWS),
      ),
    );
    yield page;
    if (page.length < PAGE_ROWS) return;
    after = page.at(-1)?.id as string;
  }
}

/** Returns the names of users, by id. */
export const usersNamed = prepareKnown<
  Ided,
  { id: string; username: string; name: string; type: 'person' | 'agent'; createdAt: number }
>({ id: 'uuid' }, (known) =>
  q
    .selectFrom(known.as('known'))
    .innerJoin('user', 'user.id', 'known.id')
    .select(['user.id', 'user.username', 'user.name', 'user.type', 'user.createdAt']),
);

/** Returns the line for a thread. */
export const lineOfThread = ({
  id,
  createdAt,
  channelId,
  messageId,
  name,
  creatorId,
  locked,
}: RowOf<'thread'>) => ({ id, createdAt, channelId, messageId, name, creatorId, locked });
