import type { RowOf } from '../db/schema.ts';
import type { AllowedHosts } from '../lib/allowedHosts.ts';
import type { Quotas } from '../limits/quotas.ts';
import type { RuntimeSettings } from '../limits/runtime.ts';
import type { OpenArchive } from './archive.ts';
import { fetching } from './fetched.ts';
import { type Import, type Pace, runImport } from './import.ts';
import { idsOfExport, isRepeated } from './palaver/ids.ts';
import { type Destination, placeFor } from './place.ts';
import { readers } from './readers.ts';
import type { Report } from './report.ts';
import { idsFor, type SourceName } from './row.ts';
import type { ImportServices } from './target.ts';

/** An archive, its target, and the limits of the import. */
export interface Given {
  services: ImportServices;
  source: SourceName;
  archive: OpenArchive;
  to: Destination;
  quotas: Quotas;
  settings: RuntimeSettings;
  allowedHosts: AllowedHosts;
  pace?: Pace;
  /** See `Import`. */
  isRetried?: boolean;
  /** Called with the number of rows read so far. Can throw to cancel the import. */
  onProgress?(rows: number, isDry: boolean): void;
}

/** An import that is ready to run. */
export interface Prepared {
  server: RowOf<'server'>;
  /** Performs a dry run, and reports what an import would do. Throws ArchiveRefused. */
  plan(): Promise<Report>;
  /** Runs the import. Creates the server if it is new. Throws ArchiveRefused. */
  run(): Promise<Report>;
}

/** Prepares an import. Throws ArchiveRefused. */
export async function prepare(given: Given): Promise<Prepared> {
  const { services, source, archive, to, quotas, settings, allowedHosts, pace, isRetried, onProgress } =
    given;
  const { server, make } = await placeFor(services, archive, source, to);
  const { read } = services.db;
  const ids = source === 'palaver' ? await idsOfExport(read, archive, server.id) : idsFor(server.id, source);
  const run: Import = {
    ...{ services, server, source, archive, read: (await readers[source]()).default, quotas, settings },
    ids,
    // Only Palaver's exports can contain the ids of existing users: people from other sources get different ids
    // in each server.
    isFirst: source === 'palaver' && !(await isRepeated(read, archive, { serverId: server.id, ids })),
    fetch: fetching(allowedHosts),
    ...(pace && { pace }),
    ...(isRetried && { isRetried }),
  };
  const following = (isDry: boolean) => ({
    ...run,
    onProgress: (rows: number) => onProgress?.(rows, isDry),
  });
  return {
    server,
    plan: () => runImport(following(true), { isDry: true }),
    async run() {
      await make();
      return runImport(following(false), { isDry: false });
    },
  };
}
