import type { Db, Reads, Tx } from '../db/contract.ts';
import type { RowOf } from '../db/schema.ts';
import type { Feed } from '../feed/feed.ts';
import type { Files } from '../files/files.ts';
import type { Deps } from '../lib/deps.ts';
import type { Actor } from '../operations/work.ts';
import type { Tally } from './report.ts';
import type { Archive, Ids, SourceName } from './row.ts';

/** The services that an import needs. They come from a node or, in the CLI, from the opened data. */
export interface ImportServices {
  db: Db;
  deps: Deps;
  files: Files;
  /** The feed to notify of events, on a node. */
  feed?: Pick<Feed, 'wake' | 'tell'>;
  /** The actor; defaults to the operator. */
  actor?: Actor;
}

/** The target of an import, and its source. */
export interface Target {
  server: RowOf<'server'>;
  source: SourceName;
  archive: Archive;
  ids: Ids;
  /**
   * Whether existing users who are not members may join the server. False if an earlier import has already
   * included them.
   */
  isFirst: boolean;
  /** The latest time that a row may have: the start of the import, in ms. */
  latest: number;
  /** Whether this is a dry run. */
  isDry: boolean;
  tally: Tally;
  services: ImportServices;
  /** Maximum size of a file, in bytes. */
  maxFileBytes: number;
  /** Whether rows were written that the tally does not count as written, such as memberships. */
  hasOtherChanges: boolean;
}

/** Runs a part of an import in a transaction of its server; a dry run only reads. */
export async function applied<T>(
  { isDry, server, services: { db } }: Target,
  plan: (reads: Reads) => Promise<T>,
  apply: (tx: Tx, planned: T) => Promise<void>,
): Promise<T> {
  if (isDry) return plan(db.read);
  return db.write(async (tx) => {
    const planned = await plan(tx);
    await apply(tx, planned);
    return planned;
  }, server.id);
}
