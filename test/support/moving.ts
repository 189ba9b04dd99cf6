import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Stage } from './process.ts';
import type { Json, World } from './world.ts';

const sumOf = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');

/** The names of the JSON Lines files in an export. */
export const lineFiles = [
  ...['people', 'emoji', 'channels', 'conversations', 'threads'],
  ...['messages', 'replies', 'reactions', 'pins', 'files'],
];

/** All files in a folder by path. */
export function filesIn(folder: string): Map<string, Buffer> {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return new Map(paths.sort().map((path) => [path.slice(folder.length + 1), readFileSync(path)]));
}

/** Rewrites the manifest of an export for its current files. */
function seal(folder: string): void {
  const files = [...filesIn(folder)]
    .filter(([path]) => !path.startsWith('manifest.'))
    .map(([path, bytes]) => ({ path, bytes: bytes.length, sha256: sumOf(bytes) }));
  const manifest = JSON.stringify({ format: 'palaver-export', version: 1, date: '', counts: {}, files });
  writeFileSync(join(folder, 'manifest.json'), manifest);
  writeFileSync(join(folder, 'manifest.sha256'), `${sumOf(manifest)}  manifest.json\n`);
}

/** Writes an export with these rows. */
export function exportOf(folder: string, rows: Record<string, readonly object[]>): string {
  mkdirSync(folder, { recursive: true });
  for (const name of lineFiles) {
    const lines = (rows[name] ?? []).map((row) => `${JSON.stringify(row)}\n`);
    writeFileSync(join(folder, `${name}.jsonl`), lines.join(''));
  }
  seal(folder);
  return folder;
}

/** An id with this time, and digits that make it unique. */
export const idAt = (time: number, number = 1): string => {
  const hex = time.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-${number.toString(16).padStart(12, '0')}`;
};

/** The row of a person in an export. */
export const grace = {
  id: idAt(0, 7),
  createdAt: 0,
  username: 'grace',
  name: 'Grace',
  type: 'person',
  isMember: true,
};

/** The row of a public channel in an export, which Grace created. */
export const channelOf = (createdAt: number, name: string) => ({
  ...{ id: idAt(createdAt, 1), createdAt, name, description: null, category: null },
  ...{ private: false, memberIds: [], readonly: false, creatorId: grace.id },
});

/** Runs `palaver import` or `palaver export` on the data of a world. */
export async function moving(
  stage: Stage,
  world: Pick<World, 'place'>,
  ...args: string[]
): Promise<{ code: number | null; report: Json; stderr: string }> {
  const { data, database = '' } = world.place;
  const ran = database
    ? await stage.run([...args, '--json'], { PALAVER_DATA: data, DATABASE_URL: database })
    : await stage.run([...args, '--json', '--data', data]);
  const report = ran.stdout.startsWith('{') ? JSON.parse(ran.stdout) : undefined;
  return { code: ran.code, report, stderr: ran.stderr };
}
