import {
  closeSync,
  existsSync,
  fsyncSync,
  globSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { SqliteConnection } from '../../db/sqlite/connection.ts';
import type { Progress } from '../../db/sqlite/longStatement.ts';
import { pathIn } from '../../files/folder.ts';
import { fileKeys } from '../../files/store.ts';
import { makeFolder } from '../../lib/folder.ts';
import type { TellStep } from '../terminal.ts';

// A backup contains the uploaded files in a table, split into parts. The table is not part of the schema, and
// a restore drops it.
export const FILE_TABLE =
  'create table file (place integer primary key, key text not null, bytes blob not null)';

/** Bytes per part. */
const PART_BYTES = 1024 * 1024;
/**
 * The format of a file's key: an id, optionally followed by the name of a preview size. Files with other
 * names do not belong to Palaver.
 */
const KEY = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}(\.small|\.large)?$/;

/**
 * Adds the files of the attachments and pictures to a copy. Returns their number. Omits files that were
 * deleted in the meantime.
 */
export function storeFiles(copy: SqliteConnection, folder: string, tell: TellStep): number {
  copy.exec(FILE_TABLE);
  const add = copy.db.prepare('insert into file (key, bytes) values (?, ?)');
  const part = Buffer.allocUnsafe(PART_BYTES);
  let files = 0;
  let bytes = 0;
  // The copy is not in use yet, so a single sync at the end is enough.
  copy.exec('pragma synchronous = off; begin');
  for (const { id } of copy.db
    .prepare('select id from attachment union all select id from picture')
    .iterate() as Iterable<{ id: string }>) {
    for (const key of Object.values(fileKeys(id))) {
      const path = pathIn(folder, key);
      if (!existsSync(path)) continue;
      const file = openSync(path, 'r');
      try {
        for (let read = readSync(file, part); read > 0; read = readSync(file, part)) {
          add.run(key, part.subarray(0, read));
          bytes += read;
          tell(`Copying files: ${Math.floor(bytes / 1_000_000)} MB`);
        }
      } finally {
        closeSync(file);
      }
      if (key === id) files++;
    }
  }
  copy.exec('commit; pragma synchronous = full');
  return files;
}

/** Returns the total size of the files in a backup, in bytes. */
export const bytesOfFiles = (source: SqliteConnection): number =>
  Number(source.scalar('select coalesce(sum(length(bytes)), 0) from file'));

/** Whether a backup contains files. It contains none if the files are in a bucket. */
export const hasFiles = (source: SqliteConnection): boolean =>
  source.scalar(`select count(*) from sqlite_schema where name = 'file'`) === 1;

/**
 * Writes a backup's files to a folder. Returns their keys. Each file is renamed to its key once it is
 * complete.
 */
export function writeFiles(source: SqliteConnection, folder: string, progress: Progress): Set<string> {
  const keys = new Set<string>();
  const total = bytesOfFiles(source);
  let written = 0;
  let open: { file: number; key: string } | undefined;
  const end = () => {
    if (!open) return;
    fsyncSync(open.file);
    closeSync(open.file);
    renameSync(`${pathIn(folder, open.key)}.partial`, pathIn(folder, open.key));
    keys.add(open.key);
    open = undefined;
  };
  const parts = source.db.prepare('select key, bytes from file order by place').iterate();
  for (const { key, bytes } of parts as Iterable<{ key: string; bytes: Uint8Array }>) {
    // The backup may be untrusted, so arbitrary text must not become a path.
    if (!KEY.test(key)) continue;
    if (open?.key !== key) {
      end();
      const path = pathIn(folder, key);
      makeFolder(dirname(path), 0o700);
      open = { file: openSync(`${path}.partial`, 'w', 0o600), key };
    }
    writeSync(open.file, bytes);
    written += bytes.length;
    progress(written, total);
  }
  end();
  return keys;
}

/**
 * Deletes all files in a folder whose keys are not in `keys`: they are left from previous data or an
 * interrupted restore.
 */
export function removeOthers(folder: string, keys: ReadonlySet<string>): void {
  for (const path of globSync('*/*', { cwd: folder }))
    if (KEY.test(basename(path, '.partial')) && !keys.has(basename(path)))
      rmSync(join(folder, path), { force: true });
}
