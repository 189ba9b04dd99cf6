import type { Kysely } from 'kysely';
import type { Reader } from '../../db/contract.ts';
import type { TableName } from '../../db/schema.ts';
import { q } from '../../db/statements.ts';
import { FIRST_ID } from '../../lib/deps.ts';

/** Rows per read: a message may have 32 KB. */
const PAGE_ROWS = 100;

/** Tables with rows about a user, the column with the user's id, and the column that identifies a row. */
export const aboutUser: readonly (readonly [TableName, column: string, key: string])[] = [
  ['user', 'id', 'id'],
  ['user', 'creatorId', 'id'],
  ['person', 'id', 'id'],
  ['identity', 'userId', 'id'],
  ['session', 'userId', 'id'],
  ['link', 'userId', 'id'],
  ['secondFactor', 'id', 'id'],
  ['recoveryCode', 'userId', 'id'],
  ['passkey', 'userId', 'id'],
  ['approval', 'userId', 'id'],
  ['mail', 'userId', 'id'],
  ['authenticationRequest', 'userId', 'id'],
  ['closing', 'id', 'id'],
  ['serverMember', 'userId', 'id'],
  ['serverBan', 'userId', 'id'],
  ['serverBan', 'creatorId', 'id'],
  ['userRole', 'userId', 'id'],
  ['secret', 'userId', 'id'],
  ['secret', 'creatorId', 'id'],
  ['server', 'creatorId', 'id'],
  ['channel', 'creatorId', 'id'],
  ['message', 'creatorId', 'id'],
  ['attachment', 'creatorId', 'id'],
  ['picture', 'creatorId', 'id'],
  ['thread', 'creatorId', 'id'],
  ['threadFollower', 'userId', 'threadId'],
  ['channelReading', 'userId', 'channelId'],
  ['threadReading', 'userId', 'threadId'],
  ['serverReading', 'userId', 'serverId'],
  ['draft', 'userId', 'id'],
  ['presence', 'id', 'id'],
  ['nodePerson', 'userId', 'presenceNodeId'],
  ['pin', 'creatorId', 'id'],
  ['reaction', 'userId', 'id'],
  ['notification', 'userId', 'id'],
  ['indicator', 'userId', 'id'],
  ['invite', 'creatorId', 'id'],
  ['appInstall', 'creatorId', 'id'],
  ['flow', 'creatorId', 'id'],
  ['webhook', 'creatorId', 'id'],
];

/**
 * Columns without an index. Their tables are scanned by key, this many rows at a time, so other reads run in between.
 */
const SCANNED = new Set([
  'serverBan.creatorId',
  'secret.creatorId',
  'channel.creatorId',
  'message.creatorId',
  'thread.creatorId',
  'pin.creatorId',
  'reaction.userId',
  'invite.creatorId',
  'appInstall.creatorId',
  'flow.creatorId',
  'webhook.creatorId',
]);
const SCANNED_ROWS = 2_000;

/** Columns left out of exports: secrets, and values only the server needs. */
const LEFT_OUT = new Set([
  'ord',
  'words',
  'record',
  'digest',
  'browser',
  'recipient',
  'password',
  'earlierDigest',
  'userCodeDigest',
  'codeChallenge',
  'publicKey',
  'sealed',
  'earlier',
  'nameKey',
]);

/**
 * Rows that belong to a server. Others may have changed them out of the user's sight since, so the user only learns
 * that they created the thing, or are banned.
 */
const OF_SERVERS = new Set([
  'server.creatorId',
  'channel.creatorId',
  'thread.creatorId',
  'invite.creatorId',
  'appInstall.creatorId',
  'flow.creatorId',
  'webhook.creatorId',
  'secret.creatorId',
  'serverBan.userId',
]);
const FACTS = new Set(['id', 'serverId', 'channelId', 'kind', 'createdAt']);

/** Rows about a user from one table. */
export interface RowsOfTable {
  table: TableName;
  rows: readonly Readonly<Record<string, unknown>>[];
}

/**
 * All rows about a user, without secrets, in pages of one table each. With `isOwn` the export is for the user
 * themselves, and omits what others may have changed in servers; otherwise it is for the operator.
 */
export async function* rowsAbout(db: Reader, userId: string, isOwn: boolean): AsyncGenerator<RowsOfTable> {
  for (const [table, column, key] of aboutUser) {
    const isOfServer = isOwn && OF_SERVERS.has(`${table}.${column}`);
    const isShown = (name: string) => !LEFT_OUT.has(name) && (!isOfServer || FACTS.has(name));
    for await (const rows of pagesOf(db, table, column, key, userId))
      yield {
        table,
        rows: rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => isShown(name)))),
      };
  }
}

/** The rows of a table with this value in a column, page by page, ordered by key. */
export async function* pagesOf(
  db: Reader,
  table: TableName,
  column: string,
  key: string,
  value: string,
): AsyncGenerator<Record<string, unknown>[]> {
  // biome-ignore lint/suspicious/noExplicitAny: Kysely cannot follow a table that is a parameter
  const from = (q as Kysely<any>).selectFrom(table as string);
  const isScanned = SCANNED.has(`${table}.${column}`);
  for (let after = FIRST_ID; ; ) {
    const { page, end } = await db.inTurn(async (reads) => {
      const edge = from.select(key).where(key, '>', after).orderBy(key).offset(SCANNED_ROWS).limit(1);
      const end = isScanned ? (await reads.first<Record<string, string>>(edge))?.[key] : undefined;
      let rows = from
        .selectAll()
        .where(column, '=', value)
        .where(key, '>', after)
        .orderBy(key)
        .limit(PAGE_ROWS);
      if (end !== undefined) rows = rows.where(key, '<=', end);
      return { page: await reads.all<Record<string, unknown>>(rows), end };
    });
    yield page;
    const next = page.length < PAGE_ROWS ? end : (page.at(-1)?.[key] as string);
    if (next === undefined) return;
    after = next;
  }
}

/** Rows as JSON Lines: `{"table": …, "row": {…}}`. */
export const linesOf = ({ table, rows }: RowsOfTable): string =>
  rows.map((row) => `${JSON.stringify({ table, row })}\n`).join('');
