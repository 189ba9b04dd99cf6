import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after } from 'node:test';
import { Client } from 'pg';
import { postgresTypes, sqliteTypes } from '../../server/src/db/migrate.ts';
import { loadMigrations } from '../../server/src/db/version.ts';
import type { DataConfig } from '../../server/src/node/data.ts';
import { newDatabase } from './databases.ts';
import { World } from './world.ts';

/** Creates data with an older version's schema and runs statements on it. */
export async function makeOldData(
  place: DataConfig,
  version: number,
  statements: readonly string[],
): Promise<void> {
  const types = place.database ? postgresTypes : sqliteTypes;
  const made = (await loadMigrations()).filter((migration) => migration.version <= version);
  const all = [
    ...made.flatMap((migration) => migration.statements(types)),
    `create table migration (version integer primary key, name text not null, "madeAt" ${place.database ? 'bigint' : 'integer'} not null)`,
    ...made.map(({ version, name }) => `insert into migration values (${version}, '${name}', 0)`),
    ...statements,
  ];
  if (!place.database) {
    const database = new DatabaseSync(join(place.data, 'palaver.db'));
    for (const statement of all) database.exec(statement);
    database.close();
    return;
  }
  const client = new Client({ connectionString: place.database });
  await client.connect();
  for (const statement of all) await client.query(statement);
  await client.end();
}

/**
 * A world that has upgraded data created with an older version's schema. After the tests in the file, it is closed
 * and the data is removed.
 */
export async function openOldWorld(
  version: number,
  statements: readonly string[],
  options: Parameters<typeof World.open>[0] = {},
): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'palaver-'));
  const database = await newDatabase('empty');
  let world: World | undefined;
  after(async () => {
    await world?.close();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });
  const place = { data: folder, database: database.url, secretKey: '' };
  await makeOldData(place, version, statements);
  world = await World.open({ ...options, place });
  return world;
}
