import { existsSync, statfsSync } from 'node:fs';
import type { LoadedConfig } from '../config.ts';
import { schemaVersion, versionOf } from '../db/open.ts';
import { SqliteConnection } from '../db/sqlite/connection.ts';
import { createSeal } from '../lib/seal.ts';
import { databaseFile, readKey } from './data.ts';

/** One thing that `palaver doctor` has looked at. */
export interface Finding {
  check: string;
  ok: boolean;
  message: string;
}

const LITTLE_SPACE = 512 * 1024 * 1024;

/** `palaver doctor`: whether the data, the settings and the versions are as they should be. Changes nothing. */
export function examine({ config, file }: LoadedConfig): Finding[] {
  const findings: Finding[] = [
    {
      check: 'program',
      ok: true,
      message: `Node ${process.versions.node}, SQLite ${process.versions.sqlite ?? 'unknown'}`,
    },
    { check: 'settings', ok: true, message: file ? `valid, with ${file}` : 'valid, without a config file' },
  ];
  const database = databaseFile(config.data);
  if (!existsSync(database)) {
    return [
      ...findings,
      { check: 'data', ok: false, message: `there is no data in ${config.data}: run "palaver start"` },
    ];
  }
  findings.push(attempt('space', () => space(config.data)));
  let connection: SqliteConnection | undefined;
  findings.push(
    attempt('data', () => {
      connection = new SqliteConnection(database, { readOnly: true, busyTimeout: 10_000 });
      const version = versionOf(connection);
      if (version < schemaVersion)
        throw new Error(`schema ${version}: the next start brings it to ${schemaVersion}`);
      return `schema ${version}`;
    }),
  );
  const open = connection;
  if (open) {
    findings.push(
      attempt('integrity', () => {
        const result = open.scalar('pragma integrity_check');
        if (result !== 'ok') throw new Error(String(result));
        return 'every page and index is whole';
      }),
      attempt('references', () => {
        if (open.scalar('pragma foreign_key_check') !== undefined)
          throw new Error('rows refer to rows that are not there');
        return 'every row that is referred to is there';
      }),
      attempt('secrets', () => {
        const key = config.secretKey ? Buffer.from(config.secretKey, 'base64url') : readKey(config.data);
        const sealed = open.scalar(`select sealed from secret where sealed is not null limit 1`);
        if (typeof sealed === 'string') createSeal(key).open(sealed);
        return "apps' secrets can be decrypted";
      }),
    );
    open.close();
  }
  return findings;
}

function attempt(check: string, look: () => string): Finding {
  try {
    return { check, ok: true, message: look() };
  } catch (error) {
    return { check, ok: false, message: (error as Error).message };
  }
}

function space(folder: string): string {
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  if (free < LITTLE_SPACE)
    throw new Error(`only ${Math.round(free / 2 ** 20)} MiB are free on the disk of the data`);
  return `${Math.round(free / 2 ** 30)} GiB are free on the disk of the data`;
}
