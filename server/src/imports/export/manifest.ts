import { hash } from 'node:crypto';
import type { Reader } from '../../db/contract.ts';
import { kinds } from '../row.ts';
import { type LineFile, lineFiles, MANIFEST, MANIFEST_SUM, type Manifest } from './format.ts';
import type { Lines } from './lines.ts';
import type { Output, Progress } from './output.ts';
import { PAGE_ROWS, usersNamed } from './rows.ts';

type OutputOf = Omit<Output<Progress>, 'begin' | 'save'>;

/** The files whose lines refer to users. */
const naming = [
  'channels',
  'conversations',
  'threads',
  'messages',
  'reactions',
  'pins',
  'files',
  'emoji',
] as const satisfies LineFile[];

/** Collects the users that the lines refer to. */
export async function peopleIn(output: OutputOf): Promise<Set<string>> {
  const ids = new Set<string>();
  for (const file of naming)
    for await (const { creatorId, userId, memberIds } of output.lines(file)) {
      if (typeof creatorId === 'string') ids.add(creatorId);
      if (typeof userId === 'string') ids.add(userId);
      if (Array.isArray(memberIds)) for (const id of memberIds) ids.add(id);
    }
  return ids;
}

/** Adds a line for each of these users, ordered by id. */
export async function addPeople(
  db: Reader,
  ids: Iterable<string>,
  lines: Lines,
  extra: (id: string) => object = () => ({}),
): Promise<void> {
  const sorted = [...ids].sort();
  for (let at = 0; at < sorted.length; at += PAGE_ROWS) {
    const some = sorted.slice(at, at + PAGE_ROWS).map((id) => ({ id }));
    const users = await db.all(usersNamed(db.dialect, some));
    for (const { id, createdAt, username, name, type } of users.sort((one, other) =>
      one.id < other.id ? -1 : 1,
    ))
      lines.add('people', { id, createdAt, username, name, type, ...extra(id) });
  }
}

/** Writes the manifest, which completes an export. */
export async function seal(
  output: OutputOf,
  date: number,
  more: Pick<Manifest, 'scope'> = {},
): Promise<Manifest['counts']> {
  const counts = await countsOf(output);
  const files = await output.summed();
  const head = { format: 'palaver-export', version: 1, ...more } as const;
  const manifest: Manifest = { ...head, date: new Date(date).toISOString(), counts, files };
  const text = `${JSON.stringify(manifest, null, 1)}\n`;
  await output.write(MANIFEST, text);
  await output.write(MANIFEST_SUM, `${hash('sha256', text, 'hex')}  ${MANIFEST}\n`);
  await output.finish();
  return counts;
}

/** Counts rows by kind. A row for several reactions of unknown users counts as that many reactions. */
async function countsOf(output: OutputOf): Promise<Manifest['counts']> {
  const counts: Manifest['counts'] = {};
  for (const name of lineFiles) {
    let count = 0;
    for await (const row of output.lines(name)) count += name === 'reactions' ? Number(row.count) : 1;
    counts[name] = count;
  }
  return Object.fromEntries([...kinds, 'threads'].map((kind) => [kind, counts[kind] ?? 0]));
}
