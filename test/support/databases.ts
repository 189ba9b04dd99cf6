import { randomBytes } from 'node:crypto';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';

/** The engine on which the suites run; `npm test` runs them on both. */
export const engine = process.env.PALAVER_TEST_ENGINE === 'postgres' ? 'postgres' : 'sqlite';

/**
 * The longest time, in milliseconds, until a node notices another process's change to keys, roles or members: see
 * `Db.authorityVersion`.
 */
export const UNNOTICED_MS = engine === 'postgres' ? 500 : 0;

/**
 * The environment variable that names a data file migrated by `npm test`. New data on the embedded engine starts as a
 * copy of it.
 */
export const DATA_FILE = 'PALAVER_TEST_DATA_FILE';

/** A database for one test. `drop` removes it. */
export interface Database {
  /** The setting `database`; empty for the embedded engine, which keeps its data in a folder. */
  url: string;
  drop(): Promise<void>;
}

/** The longest time to wait for other connections to a template to end. */
const TEMPLATE_WAIT_MS = 20_000;
/** PostgreSQL only copies a template while nobody else is connected to it. */
const IN_USE = '55006';

/**
 * Creates a database: a migrated copy if `npm test` has prepared a template, otherwise empty. On the embedded engine
 * a folder is enough, and the copy is put into `folder`.
 */
export async function newDatabase(state: 'migrated' | 'empty', folder?: string): Promise<Database> {
  if (engine === 'sqlite') {
    const file = process.env[DATA_FILE];
    if (state === 'migrated' && folder && file) copyFileSync(file, join(folder, 'palaver.db'));
    return { url: '', drop: async () => {} };
  }
  const server = process.env.PALAVER_TEST_DATABASE_URL;
  if (!server)
    throw new Error('PALAVER_TEST_ENGINE=postgres only works with npm test, which starts a server');
  const template = process.env.PALAVER_TEST_TEMPLATE;
  const url = await createDatabase(server, state === 'migrated' ? template : undefined);
  return { url, drop: () => dropDatabase(server, url) };
}

/**
 * Creates a database with a random name on the server in `url`, empty or as a copy of a template. Returns its URL.
 */
export async function createDatabase(url: string, template?: string): Promise<string> {
  const name = `palaver_test_${randomBytes(8).toString('hex')}`;
  // Tells the server to copy files instead of writing all pages to the write-ahead log, which takes three times the CPU
  // time.
  const copy = template
    ? ` template ${template}${(await copiesFiles(url)) ? ' strategy file_copy' : ''}`
    : '';
  const deadline = performance.now() + TEMPLATE_WAIT_MS;
  for (;;) {
    try {
      await ask(url, `create database ${name}${copy}`);
      return Object.assign(new URL(url), { pathname: `/${name}` }).href;
    } catch (error) {
      if ((error as { code?: string }).code !== IN_USE || performance.now() > deadline) throw error;
    }
  }
}

let hasStrategy: Promise<boolean> | undefined;

/**
 * True if the server supports `strategy file_copy`, which requires version 15 or later. Earlier versions always
 * copy files.
 */
function copiesFiles(url: string): Promise<boolean> {
  hasStrategy ??= ask<{ known: boolean }>(
    url,
    "select current_setting('server_version_num')::int >= 150000 as known",
  ).then(([row]) => row?.known === true);
  return hasStrategy;
}

/** Removes a database created by `createDatabase`, and closes the connections to it. */
export async function dropDatabase(url: string, database: string): Promise<void> {
  await ask(url, `drop database if exists ${nameOf(database)} with (force)`);
}

export const nameOf = (url: string): string => new URL(url).pathname.slice(1);

/** Runs one statement on a new connection and returns its rows. */
export async function ask<R extends object>(url: string, sql: string, values: unknown[] = []): Promise<R[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<R>(sql, values)).rows;
  } finally {
    await client.end();
  }
}
