import { existsSync } from 'node:fs';
import type { Config } from '../../config.ts';
import { UnfinishedCopy } from '../../db/contract.ts';
import { type FailingRow, failingSql } from '../../db/failures.ts';
import { strangeObject, unfinishedCopy, versionOf } from '../../db/open.ts';
import { anySealed, type SealedValue } from '../../db/sealed.ts';
import { SqliteConnection } from '../../db/sqlite/connection.ts';
import { schemaVersion } from '../../db/version.ts';
import { createSeal } from '../../lib/seal.ts';
import { parseSecretKeys } from '../../lib/secretKeys.ts';
import { databaseFile } from '../../node/data.ts';
import { readKeys } from '../../node/secretKey.ts';
import { allFiles, examineFiles, type KnownFile } from './examineFiles.ts';
import { attempt, type Finding } from './finding.ts';
import { examineQueues } from './queues.ts';
import { examineSpace } from './space.ts';

/** Checks the embedded database, its disk, its secret key, its files and its queues. */
export async function examineFolder(config: Config): Promise<Finding[]> {
  const database = databaseFile(config.data);
  if (!existsSync(database)) {
    return [{ check: 'data', ok: false, message: `no data in ${config.data}: run "palaver start"` }];
  }
  let connection: SqliteConnection | undefined;
  const findings = [
    await examineSpace('space', config.data, config.minFreeMegabytes),
    await attempt('data', () => {
      connection = new SqliteConnection(database, { readOnly: true, busyTimeout: 10_000 });
      const origin = unfinishedCopy(connection);
      if (origin) throw new UnfinishedCopy(origin);
      const version = versionOf(connection);
      if (version < schemaVersion)
        throw new Error(`schema ${version}: the next start migrates it to ${schemaVersion}`);
      return `schema ${version}`;
    }),
  ];
  const open = connection;
  if (!open) return findings;
  findings.push(
    await attempt('integrity', () => {
      const result = open.scalar('pragma integrity_check');
      if (result !== 'ok') throw new Error(String(result));
      return 'all pages and indexes are intact';
    }),
    await attempt('schema', async () => {
      const strange = await strangeObject(open);
      if (strange) throw new Error(`${JSON.stringify(strange)} is missing or was changed`);
      return 'tables, triggers and indexes match the schema';
    }),
    await attempt('references', () => {
      if (open.scalar('pragma foreign_key_check') !== undefined)
        throw new Error('rows reference rows that do not exist');
      return 'all references are valid';
    }),
    await attempt('secrets', () => {
      const keys = parseSecretKeys(config.secretKey) ?? readKeys(config.data);
      const sealed = open.db.prepare(anySealed).get() as SealedValue | undefined;
      if (sealed) createSeal(() => keys).open(sealed.sealed, sealed);
      return 'the stored secrets can be decrypted';
    }),
  );
  if (findings.every(({ ok }) => ok))
    findings.push(
      await examineFiles(config, open.db.prepare(allFiles).all() as unknown as KnownFile[]),
      await examineQueues(open.db.prepare(failingSql()).all() as unknown as FailingRow[]),
    );
  open.close();
  return findings;
}
