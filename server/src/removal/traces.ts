import type { Reader } from '../db/contract.ts';
import { prepare, q, remove } from '../db/statements.ts';
import { nextLog } from '../feed/positions.ts';
import { FIRST_ID } from '../lib/deps.ts';
import { ERASED_NAME } from '../resources/user.ts';
import type { ErasureData } from './erasureData.ts';

// The event log and the responses stored for idempotency keys contain copies of records, which do not change
// with the rows.

/** Number of log positions to scan per read, and number of stored responses per read. */
const PAGE_EVENTS = 5_000;
const PAGE_ANSWERS = 200;

const DELETED_CONTENT = '(deleted)';
const DELETED_FILE = 'deleted';

/** A user to erase. */
export interface Erased {
  id: string;
  /** The username of the user after the erasure. */
  username: string;
  /** Whether their messages are deleted too. */
  withMessages: boolean;
}

type Json = Record<string, unknown>;

/** Returns a record without the user's personal data. Returns the same object if it contains none. */
function withoutUser(record: Json, { id, username, withMessages }: Erased): Json {
  if (record.creatorId === id && typeof record.content === 'string' && withMessages)
    // Events reference the message, except events from before versions existed.
    return record.content === DELETED_CONTENT || record.content === ''
      ? record
      : {
          ...record,
          content: DELETED_CONTENT,
          ...('attachments' in record && { attachments: [] }),
          ...('blocks' in record && { blocks: [] }),
        };
  // The record is about a file. Unsent files are always erased, files in messages only along with the
  // messages.
  if (record.creatorId === id && 'thumbhash' in record && (withMessages || record.messageId === null))
    return record.name === DELETED_FILE ? record : { ...record, name: DELETED_FILE, thumbhash: null };
  if (record.userId !== id) return record;
  const user = record.user as Json | undefined;
  const clean = {
    ...record,
    ...('nickname' in record && { nickname: null }),
    ...(user && { user: { ...user, username, name: ERASED_NAME, image: null } }),
    // Keys and webhooks are named after their user.
    ...(('kind' in record || 'direction' in record) && { name: ERASED_NAME }),
  };
  return JSON.stringify(clean) === JSON.stringify(record) ? record : clean;
}

const bounds = prepare((p: { logId: string }) =>
  q
    .selectFrom('event')
    .select((eb) => [eb.fn.min('seq').as('first'), eb.fn.max('seq').as('last')])
    .where('logId', '=', p.logId),
);

/** Rewrites the events that mention the user, in small writes. Returns how many were rewritten. */
export async function cleanEvents({ db, goOn }: ErasureData, erased: Erased): Promise<number> {
  let changed = 0;
  for (let logId: string | undefined = FIRST_ID; ; ) {
    logId = (await db.read.first(nextLog({ after: logId })))?.logId;
    if (logId === undefined) return changed;
    const { first, last } = (await db.read.first(bounds({ logId }))) as { first: number; last: number };
    for (let from = first; from <= last; from += PAGE_EVENTS) {
      await goOn?.();
      for (const { seq, data } of await eventsAbout(db.read, logId, from, erased.id)) {
        const record = JSON.parse(data) as Json;
        const clean = withoutUser(record, erased);
        if (clean === record) continue;
        const set = { data: JSON.stringify(clean) };
        const place = { logId, seq };
        await db.write((tx) =>
          tx.run(
            q.updateTable('event').set(set).where('logId', '=', place.logId).where('seq', '=', place.seq),
          ),
        );
        changed++;
      }
    }
  }
}

const eventsAbout = (db: Reader, logId: string, from: number, userId: string) =>
  db.all(
    q
      .selectFrom('event')
      .select(['seq', 'data'])
      .where('logId', '=', logId)
      .where('seq', '>=', from)
      .where('seq', '<', from + PAGE_EVENTS)
      .where('data', 'like', `%${userId}%`),
  );

/** Rewrites the stored responses that mention the user, in small writes. Returns how many were rewritten. */
export async function cleanAnswers({ db, seal, goOn }: ErasureData, erased: Erased): Promise<number> {
  let changed = 0;
  for (let after = ''; ; ) {
    await goOn?.();
    const page = await db.read.all(
      q
        .selectFrom('idempotency')
        .select(['scope', 'answer'])
        .where('scope', '>', after)
        .where((eb) =>
          // Responses that contain a secret are encrypted and do not start with a brace.
          eb.or([eb('answer', 'like', `%${erased.id}%`), eb('answer', 'not like', '{%')]),
        )
        .orderBy('scope')
        .limit(PAGE_ANSWERS),
    );
    for (const { scope, answer } of page) {
      const place = { table: 'idempotency', column: 'answer', id: scope };
      const isPlain = answer.startsWith('{');
      const opened = openedAnswer(() => (isPlain ? answer : seal.open(answer, place)));
      if (!opened) {
        // A retry of the request could not replay this response either, so it is deleted.
        await db.write((tx) => tx.run(remove('idempotency', { scope })));
        continue;
      }
      const { data, ...rest } = opened;
      const clean = withoutUser(data, erased);
      if (clean === data) continue;
      const text = JSON.stringify({ ...rest, data: clean });
      const set = { answer: isPlain ? text : seal.seal(text, place) };
      await db.write((tx) =>
        tx.run(q.updateTable('idempotency').set(set).where('scope', '=', scope).where('answer', '=', answer)),
      );
      changed++;
    }
    if (page.length < PAGE_ANSWERS) return changed;
    after = page.at(-1)?.scope as string;
  }
}

/** Parses a stored response. Undefined if that fails, because the erasure must not stop. */
function openedAnswer(text: () => string): { data: Json } | undefined {
  try {
    return JSON.parse(text());
  } catch {
    return undefined;
  }
}
