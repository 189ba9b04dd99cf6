import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openArchive } from '../../server/src/imports/archive.ts';
import { readers } from '../../server/src/imports/readers.ts';
import { ArchiveRefused, type ImportRow, idsFor } from '../../server/src/imports/row.ts';
import { type Files, unpack } from './archives.ts';

/** Reads an archive with these bytes, or a folder with these files, with a source's reader. */
export async function rowsOf(
  source: keyof typeof readers,
  content: Buffer | Files,
  name = 'archive',
): Promise<ImportRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'import-'));
  try {
    const path = join(folder, name);
    if (Buffer.isBuffer(content)) writeFileSync(path, content);
    else unpack(content, path);
    const archive = await openArchive(path, { scratch: folder });
    try {
      const { default: read } = await readers[source]();
      const rows = await Array.fromAsync(read(archive, idsFor('server', source)));
      // The writer accepts each row only once.
      const ids = new Set<string>();
      return rows.filter((row) => row.row === 'lost' || ids.size < ids.add(row.id).size);
    } finally {
      await archive.close();
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export type RowOf<Name extends ImportRow['row']> = Extract<ImportRow, { row: Name }>;

export const ofKind = <Name extends ImportRow['row']>(
  rows: readonly ImportRow[],
  name: Name,
): RowOf<Name>[] => rows.filter((row): row is RowOf<Name> => row.row === name);

/** The row counts of an archive, as in a report, including losses. */
export function countsIn(rows: readonly ImportRow[]): Record<string, number> {
  const messages = ofKind(rows, 'message');
  return {
    people: ofKind(rows, 'person').length,
    channels: ofKind(rows, 'channel').length,
    conversations: ofKind(rows, 'conversation').length,
    messages: messages.length,
    threads: ofKind(rows, 'thread').length,
    replies: messages.filter(({ threadId, replyToId }) => threadId !== null || replyToId !== null).length,
    reactions: messages.flatMap(({ reactions }) => reactions).reduce((sum, { count }) => sum + count, 0),
    pins: messages.filter(({ pin }) => pin !== null).length,
    files: messages.flatMap(({ files }) => files).length,
    emoji: ofKind(rows, 'emoji').length,
    lost: ofKind(rows, 'lost').reduce((sum, { count, isKept }) => sum + (isKept ? 0 : count), 0),
  };
}

/**
 * How many messages in an archive are lost, and how many other entries, such as joins, have no rows, both by
 * reason.
 */
export function missingIn(rows: readonly ImportRow[]) {
  const found = ofKind(rows, 'lost').filter(({ kind }) => kind === 'messages');
  const [omitted, lost] = [true, false].map((isKept) =>
    Object.fromEntries(
      found.filter((row) => (row.isKept === true) === isKept).map(({ reason, count }) => [reason, count]),
    ),
  ) as [Record<string, number>, Record<string, number>];
  const sum = (counts: Record<string, number>) => Object.values(counts).reduce((all, one) => all + one, 0);
  return { lost, omitted, sumOfLost: sum(lost), sumOfOmitted: sum(omitted) };
}

/**
 * The texts of the messages. References to people are shown as `@name`, those to channels as `#name`, and those to
 * messages as `>` and the beginning of the text.
 */
export function textsIn(rows: readonly ImportRow[]): string[] {
  const names = new Map<string, string>();
  for (const row of rows) {
    if (row.row === 'person') names.set(row.id, row.username);
    if (row.row === 'channel') names.set(row.id, row.name);
    if (row.row === 'message') names.set(row.id, row.content.slice(0, 12));
  }
  return ofKind(rows, 'message').map(({ content }) =>
    content.replace(
      /\u{f57a0}([@#>])([0-9a-f-]{36})(?:\/([0-9a-f-]{36}))?\u{f57a1}/gu,
      (_, mark, id, message) => mark + (names.get(message ?? id) ?? '?'),
    ),
  );
}

/**
 * Reads damaged copies of an archive's files: truncated, with a flipped bit, nested deeply, with a huge line, and more.
 * Fails if reading one ends with an error other than ArchiveRefused.
 */
export async function readDamaged(source: keyof typeof readers, files: Files, copies: number): Promise<void> {
  const names = Object.keys(files);
  const deep = '['.repeat(200_000);
  for (let index = 0; index < copies; index++) {
    const name = names[index % names.length] as string;
    const bytes = Buffer.from(files[name] as string);
    const at = Math.floor(((index * 7919) % 1000) * (bytes.length / 1000));
    const flipped = Buffer.from(bytes);
    if (flipped.length > 0) flipped[at] = (flipped[at] as number) ^ (1 << (index % 8));
    const damaged = [
      bytes.subarray(0, at),
      flipped,
      deep,
      `{"a":"${'x'.repeat(100_000)}`,
      '[null,1,"x",{},[]]',
      '\0',
    ];
    const content = damaged[Math.floor(index / names.length) % damaged.length] as string;
    await rowsOf(source, { ...files, [name]: content }).catch((error) => {
      if (!(error instanceof ArchiveRefused)) throw error;
    });
  }
}
