import { aboutUser, type RowsOfTable, rowsOf } from '../../accounts/export/rows.ts';
import type { TableName } from '../../db/schema.ts';
import { copyFile } from './copied.ts';
import type { ExportGiven } from './export.ts';
import { Lines } from './lines.ts';
import type { Output } from './output.ts';
import { htmlOfAccount, pathOfAccount } from './personHtml.ts';
import type { PersonProgress } from './personProgress.ts';
import { reactionsToOthers } from './personReactions.ts';
import { idsInSight } from './personRows.ts';
import type { Sight } from './sight.ts';

type Row = Readonly<Record<string, unknown>>;

/** Tables whose rows are in separate files: `messages.jsonl` and `versions.jsonl`. */
const inOwnFiles = new Set<TableName>(['message', 'messageVersion']);

/** The tables with rows about a person, each once. */
export const accountTables: readonly TableName[] = [...new Set(aboutUser.map(([table]) => table))].filter(
  (table) => !inOwnFiles.has(table),
);

/** Rows per page of HTML. */
const PAGE_ROWS = 500;

type Given = ExportGiven & { userId: string; sight: Sight };

/** Exports the rows about a person in one table. */
export async function exportAccountPart(
  given: Given,
  output: Output<PersonProgress>,
  progress: PersonProgress,
  table: TableName,
): Promise<void> {
  const part = { table, rows: 0, pages: 0 };
  let waiting: Row[] = [];
  const write = async (hasNext: boolean) => {
    part.pages++;
    const at = { table, number: part.pages, hasNext };
    await output.write(pathOfAccount(table, part.pages), htmlOfAccount(at, waiting));
    waiting = [];
  };
  for await (const rows of rowsInSight(given, table)) {
    const lines = new Lines();
    for (const row of rows) lines.add('account', { table, row });
    await addFiles(given, output, lines, { table, rows });
    if (table === 'reaction')
      for (const row of await reactionsToOthers(given, progress.until, rows)) lines.add('reactions', row);
    await output.append(lines, progress);
    part.rows += rows.length;
    if (waiting.length + rows.length > PAGE_ROWS) await write(true);
    waiting.push(...rows);
  }
  if (waiting.length > 0) await write(false);
  if (part.rows > 0) progress.account.push(part);
}

/** Yields the rows about a person in one table, page by page. */
async function* rowsInSight(
  given: ExportGiven & { userId: string },
  table: TableName,
): AsyncGenerator<readonly Row[]> {
  for (const of of aboutUser) {
    if (of[0] !== table) continue;
    for await (const page of rowsOf(given.db, given.userId, true, of)) {
      const rows = await inSight(given, page);
      if (rows.length > 0) yield rows;
    }
  }
}

/** Returns the rows, without files of messages that are being deleted. */
async function inSight({ db }: ExportGiven, { table, rows }: RowsOfTable): Promise<readonly Row[]> {
  if (table !== 'attachment') return rows;
  const ids = rows.flatMap(({ messageId }) => (messageId === null ? [] : (messageId as string)));
  const seen = await idsInSight(db, ids);
  return rows.filter(({ messageId }) => messageId === null || seen.has(messageId as string));
}

/** Copies files that belong to no message: unsent files, and pictures. */
async function addFiles(
  { files }: ExportGiven,
  output: Output<PersonProgress>,
  lines: Lines,
  { table, rows }: RowsOfTable,
): Promise<void> {
  if (table !== 'attachment' && table !== 'picture') return;
  for (const row of rows) {
    if (table === 'attachment' && row.messageId !== null) continue;
    const { id, createdAt, creatorId, bytes, name = null } = row as { id: string; bytes: number } & Row;
    const copied = await copyFile(files, output, { id, bytes });
    const path = copied.sha256 === null ? null : `files/${copied.sha256}`;
    lines.add('files', { id, createdAt, messageId: null, creatorId, name, ...copied, path });
  }
}
