import { hash } from 'node:crypto';
import type { RowOf } from '../db/schema.ts';
import { find } from '../db/statements.ts';
import { isId, newRow, timeOfId } from '../lib/deps.ts';
import { operator } from '../operations/work.ts';
import { changeAs } from '../resources/change.ts';
import { addServer, newServer } from '../resources/server/index.ts';
import { type Archive, ArchiveRefused, idsFor, type SourceName } from './row.ts';
import type { ImportServices } from './target.ts';

/** The target of an import: an existing server, or a new one with a name and an owner. */
export type Destination = { serverId: string } | { name: string; owner: RowOf<'user'> };

/** The server of an import. */
export interface Place {
  server: RowOf<'server'>;
  /** Creates the server, if it is new. */
  make(): Promise<unknown>;
}

/**
 * Finds the server of an import. The id of a new server is derived from the archive, the name and the owner,
 * so a repeated import continues with the same server. Throws ArchiveRefused if the server does not exist or is
 * being deleted, or its owner is suspended.
 */
export async function placeFor(
  services: ImportServices,
  archive: Archive,
  source: SourceName,
  to: Destination,
): Promise<Place> {
  const { db, deps } = services;
  if ('serverId' in to) {
    const found = isId(to.serverId) ? await db.read.first(find('server', { id: to.serverId })) : undefined;
    if (!found || found.deletedAt !== null)
      throw new ArchiveRefused(`server ${JSON.stringify(to.serverId)} does not exist`);
    return { server: found, make: async () => {} };
  }
  const { name, owner: creator } = to;
  if (creator.suspendedAt !== null) throw new ArchiveRefused(`${creator.username} is suspended`);
  const sizes = archive.paths.map((path) => [path, archive.sizeOf(path)]);
  const sum = hash('sha256', JSON.stringify(sizes), 'hex');
  const id = idsFor(creator.id, source)('channel', `server ${name} ${sum}`, timeOfId(creator.id));
  const found = await db.read.first(find('server', { id }));
  if (found && found.deletedAt !== null)
    throw new ArchiveRefused(`the server ${name} is being deleted: try again later`);
  if (found) return { server: found, make: async () => {} };
  const planned = { ...newRow(deps), ...newServer(name, creator), id, deletedAt: null, ord: 0 };
  return {
    server: planned,
    make: () =>
      changeAs(services.actor ?? operator, services, (work) => addServer(work, { name, creator, id })),
  };
}
