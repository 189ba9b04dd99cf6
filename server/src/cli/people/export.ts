import { closeSync, createWriteStream, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Kysely } from 'kysely';
import type { Reader } from '../../db/contract.ts';
import type { TableName } from '../../db/schema.ts';
import { q } from '../../db/statements.ts';
import type { Files } from '../../files/files.ts';
import { FIRST_ID } from '../../lib/deps.ts';
import { makeFolder } from '../../lib/folder.ts';
import type { Data } from '../../node/data.ts';
import { userNamed } from './find.ts';

/** Rows in one read. */
const PAGE_ROWS = 500;

/** Tables with rows about a user, and the column with the user's id. */
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

/** Columns that are no data of the user: values that only the server needs, and secrets. */
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
 * `palaver user export`: writes all rows about a user into a file, as JSON Lines: `{"table": …, "row": {…}}`. Reads
 * page by page, and replaces an existing file only once it is whole. Throws CommandError, or the error of the file.
 */
export async function exportUser(
  { db: { read: db }, files }: Pick<Data, 'db' | 'files'>,
  { username, output, files: folder }: { username: string; output?: string; files?: string },
): Promise<{ file: string; rows: number }> {
  const { id, ...user } = await userNamed(db, username);
  const file = resolve(output ?? `${user.username}.jsonl`);
  const fresh = `${file}.${process.pid}.partial`;
  const descriptor = openSync(fresh, 'wx', 0o600);
  try {
    let rows = 0;
    for (const [table, column, key] of aboutUser) {
      for await (const row of rowsOf(db, table, column, key, id)) {
        writeSync(descriptor, `${JSON.stringify({ table, row: shown(row) })}\n`);
        rows++;
      }
    }
    if (folder !== undefined) await copyFiles(db, files, id, resolve(folder));
    renameSync(fresh, file);
    return { file, rows };
  } finally {
    closeSync(descriptor);
    rmSync(fresh, { force: true });
  }
}

/** Copies the files that a user has uploaded into a folder, each by the id of its attachment or picture. */
async function copyFiles(db: Reader, files: Files, userId: string, folder: string): Promise<void> {
  makeFolder(folder, 0o700);
  const store = await files.store;
  for (const table of ['attachment', 'picture'] as const)
    for await (const row of rowsOf(db, table, 'creatorId', 'id', userId)) {
      const { id } = row as { id: string };
      await pipeline(await store.open(id), createWriteStream(join(folder, id), { mode: 0o600 }));
    }
}

async function* rowsOf(
  db: Reader,
  table: TableName,
  column: string,
  key: string,
  userId: string,
): AsyncGenerator<object> {
  // biome-ignore lint/suspicious/noExplicitAny: Kysely cannot follow a table that is a parameter
  const any = q as Kysely<any>;
  for (let after = FIRST_ID; ; ) {
    const page = await db.all<Record<string, string>>(
      any
        .selectFrom(table as string)
        .selectAll()
        .where(column, '=', userId)
        .where(key, '>', after)
        .orderBy(key)
        .limit(PAGE_ROWS),
    );
    yield* page;
    if (page.length < PAGE_ROWS) return;
    after = page.at(-1)?.[key] as string;
  }
}

const shown = (row: object): object =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !LEFT_OUT.has(name)));
