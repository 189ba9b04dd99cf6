import type { Db } from '../db/contract.ts';
import type { RowOf } from '../db/schema.ts';
import { find, q } from '../db/statements.ts';
import type { QuotaName, Quotas } from '../limits/quotas.ts';
import type { StorageLimits } from '../limits/room.ts';
import { MEGABYTE } from '../limits/room.ts';
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

/** Throws ArchiveRefused if what a dry run would add exceeds the quotas of the server or of files. */
export async function requireRoomFor(
  { services: { db }, server, quotas, settings }: Given,
  places: Places,
  files: ImportedFiles,
  tally: Tally,
): Promise<void> {
  const { channels, categories, roles } = places.added;
  const emoji = tally.countsOf('emoji').written;
  const added: Partial<Record<QuotaName, number>> = { channels, categories, roles, emoji };
  for (const table of ['channel', 'category', 'role', 'emoji'] as const) {
    const name = ({ channel: 'channels', category: 'categories', role: 'roles', emoji: 'emoji' } as const)[
      table
    ];
    const more = added[name] ?? 0;
    if (more === 0 || quotas[name] === 0) continue;
    let rows = q
      .selectFrom(table as 'channel')
      .select((eb) => eb.fn.countAll<number>().as('rows'))
      .where('serverId', '=', server.id);
    if (table === 'channel') rows = rows.where('kind', '=', 'channel');
    const there = Number((await db.read.first(rows))?.rows ?? 0);
    if (there + more > quotas[name])
      throw new ArchiveRefused(
        `the archive needs ${more} more ${name}, but the quota "${name}" allows ${quotas[name]}, of which ${there} are used. Raise it first`,
      );
  }
  const bytes = files.bytes;
  if (bytes === 0) return;
  const ofServer = (await db.read.first(find('fileUse', { serverId: server.id })))?.bytes;
  requireFit('fileMegabytes', quotas.fileMegabytes, Number(ofServer ?? 0), bytes);
  const ofOwner = (await db.read.first(find('personUse', { userId: server.creatorId })))?.bytes;
  requireFit('personMegabytes', settings.personMegabytes, Number(ofOwner ?? 0), bytes);
  const all = q.selectFrom('personUse').select((eb) => eb.fn.sum<number | null>('bytes').as('bytes'));
  requireFit(
    'storageMegabytes',
    settings.storageMegabytes,
    Number((await db.read.first(all))?.bytes ?? 0),
    bytes,
  );
}

function requireFit(name: string, megabytes: number, used: number, bytes: number): void {
  if (megabytes === 0 || used + bytes <= megabytes * MEGABYTE) return;
  const needed = Math.ceil((used + bytes) / MEGABYTE);
  throw new ArchiveRefused(
    `with the files of the archive, ${needed} MB would be used, but the quota "${name}" allows ${megabytes} MB. Raise it first`,
  );
}
