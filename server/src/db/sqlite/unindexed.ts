/**
 * Messages that cannot be indexed. One is left out of the index and retried, because new messages are indexed
 * in order: it would block the index, and, once a backlog has grown, every write. The statements have no
 * parameters, because each text is prepared once.
 */

const FIRST_WAIT_MS = 60_000;
const MAX_WAIT_MS = 60 * 60_000;
/** Messages retried per write. */
const RETRIED_AT_ONCE = 8;

/** A text that cannot be split into words. */
export class Unindexable extends Error {}

interface Scalars {
  scalar(sql: string): unknown;
}

/** Reports that a message fails, or that it is indexed after failures. */
export type OnUnindexed = (messageId: string, isFailing: boolean) => void;

const now = `cast(unixepoch('subsec') * 1000 as integer)`;
const due = `failure where queue = 'search' and "nextAt" <= ${now}`;
const firstDue = `(select item from ${due} order by "nextAt", item limit 1)`;
const dueMessage = `from message where id = substr(${firstDue}, 8)`;

/** Runs a part of the current transaction. Rolls it back if it throws. */
export function inSavepoint<T>(connection: Scalars, task: () => T): T {
  connection.scalar('savepoint indexing');
  try {
    return task();
  } catch (error) {
    connection.scalar('rollback to indexing');
    throw error;
  } finally {
    connection.scalar('release indexing');
  }
}

/** Records the next new message, whose row `fresh` selects, as failing. Returns its id. */
export function recordUnindexed(connection: Scalars, fresh: string): string {
  connection.scalar(
    `insert or replace into failure (item, queue, attempts, since, "nextAt", reason)
      select 'search:' || id, 'search', 1, ${now}, ${now} + ${FIRST_WAIT_MS}, 'its words cannot be found'
      from (select id ${fresh})`,
  );
  return String(connection.scalar(`select id ${fresh}`));
}

/** Whether a message is due to be retried. */
export const isRetryDue = (connection: Scalars): boolean =>
  connection.scalar(`select exists (select 1 from ${due})`) === 1;

/** Retries some messages in the current transaction. */
export function retryUnindexed(connection: Scalars, tell: OnUnindexed): void {
  for (let tried = 0; tried < RETRIED_AT_ONCE && isRetryDue(connection); tried++) {
    const id = String(connection.scalar(`select substr(${firstDue}, 8)`));
    try {
      inSavepoint(connection, () => indexDue(connection));
      connection.scalar(`delete from failure where item = ${firstDue}`);
      tell(id, false);
    } catch (error) {
      if (!(error instanceof Unindexable)) throw error;
      const wait = `min(${FIRST_WAIT_MS} << min(attempts, 10), ${MAX_WAIT_MS})`;
      connection.scalar(
        `update failure set attempts = attempts + 1, "nextAt" = ${now} + ${wait} where item = ${firstDue}`,
      );
    }
  }
}

/** Indexes the first message that is due. Does nothing if it was deleted. */
function indexDue(connection: Scalars): void {
  connection.scalar(`delete from message_search where rowid = (select ord ${dueMessage})`);
  connection.scalar(
    `insert into message_search (rowid, body) select ord, search_text("channelId",
      (select max(block) from "searchBlock" where "channelId" = message."channelId" and block <= message.ord), content)
      ${dueMessage}`,
  );
}
