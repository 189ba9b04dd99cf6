import type { Db } from '../db/contract.ts';
import type { RowOf } from '../db/schema.ts';
import type { Quotas } from '../limits/quotas.ts';
import { MEGABYTE, rowsIn, type StorageLimits, usedBytes } from '../limits/room.ts';
import type { ImportedFiles } from './files.ts';
import type { Places } from './places.ts';
import type { Tally } from './report.ts';
import { ArchiveRefused } from './row.ts';

interface Given {
  services: { db: Db };
  server: RowOf<'server'>;
  quotas: Quotas;
  settings: StorageLimits;
}

/**
 * Throws ArchiveRefused if an import would exceed the quotas of the server or of files, according to its dry
 * run.
 */
export async function requireRoomFor(
  { services: { db }, server, quotas, settings }: Given,
  places: Places,
  files: ImportedFiles,
  tally: Tally,
): Promise<void> {
  const added = { ...places.added, emoji: tally.countsOf('emoji').written };
  for (const name of ['channels', 'categories', 'roles', 'emoji'] as const) {
    if (added[name] === 0 || quotas[name] === 0) continue;
    const there = await rowsIn(db.read, name, { serverId: server.id, most: Number.MAX_SAFE_INTEGER });
    if (there + added[name] > quotas[name])
      throw new ArchiveRefused(
        `the archive needs ${added[name]} more ${name}, but the quota "${name}" allows ${quotas[name]}, of which ${there} are used. Raise it first`,
      );
  }
  const { bytes } = files;
  if (bytes === 0) return;
  const used = [
    ['fileMegabytes', quotas.fileMegabytes, await usedBytes.fileMegabytes(db.read, server.id)],
    ['personMegabytes', settings.personMegabytes, await usedBytes.personMegabytes(db.read, server.creatorId)],
    ['storageMegabytes', settings.storageMegabytes, await usedBytes.storageMegabytes(db.read)],
  ] as const;
  for (const [name, megabytes, there] of used) requireFit(name, megabytes, there, bytes);
}

function requireFit(name: string, megabytes: number, used: number, bytes: number): void {
  if (megabytes === 0 || used + bytes <= megabytes * MEGABYTE) return;
  const needed = Math.ceil((used + bytes) / MEGABYTE);
  throw new ArchiveRefused(
    `with the files of the archive, ${needed} MB would be used, but the quota "${name}" allows ${megabytes} MB. Raise it first`,
  );
}
