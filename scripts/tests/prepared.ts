import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openDatabase } from '../../server/src/db/open.ts';
import { openPostgres } from '../../server/src/db/postgres/index.ts';
import { createDatabase, DATA_FILE, dropDatabase, nameOf } from '../../test/support/databases.ts';
import {
  CLUSTER,
  postgresBinaries,
  prepareCluster,
  startPostgres,
} from '../../test/support/postgresServer.ts';

/** The servers and data that an engine's suites need, and the environment variables that point to them. */
export interface Prepared {
  environment: Record<string, string>;
  close(): Promise<void>;
}

/** The database server for a run, with a migrated database: the server in the environment variable, or a new one. */
export async function preparePostgres(): Promise<Prepared> {
  const given = process.env.PALAVER_TEST_DATABASE_URL;
  const cluster = postgresBinaries() ? prepareCluster() : undefined;
  if (cluster !== undefined) process.env[CLUSTER] = cluster;
  const own = given ? undefined : await startPostgres({ durable: false });
  const url = given || (own?.url as string);
  // Migrated only once: tests that need a database get a copy of this template.
  const template = await createDatabase(url);
  await (await openPostgres({ url: template, connections: 3 })).close();
  return {
    environment: { PALAVER_TEST_DATABASE_URL: url, PALAVER_TEST_TEMPLATE: nameOf(template) },
    async close() {
      await dropDatabase(url, template);
      await own?.close();
      if (cluster !== undefined) rmSync(dirname(cluster), { recursive: true });
    },
  };
}

/** Migrates a data file only once: tests on the embedded engine get a copy of it. */
export async function prepareDataFile(): Promise<Prepared> {
  const folder = mkdtempSync(join(tmpdir(), 'palaver-template-'));
  const file = join(folder, 'palaver.db');
  await (await openDatabase({ file })).close();
  return { environment: { [DATA_FILE]: file }, close: async () => rmSync(folder, { recursive: true }) };
}
