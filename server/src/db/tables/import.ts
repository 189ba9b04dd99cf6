import type { Row, Table } from './facts.ts';

/** Retention of imports, in milliseconds. */
export const IMPORT_MS = 7 * 24 * 60 * 60_000;

/** The products from which history can be imported, as named in `--from`. */
export const importSources = ['slack', 'discord', 'mattermost', 'zulip', 'rocketchat', 'palaver'] as const;

/** The kinds of rows counted in the report of an import. `messages` includes replies. */
export const importKinds = [
  'people',
  'channels',
  'conversations',
  'messages',
  'replies',
  'reactions',
  'pins',
  'files',
  'emoji',
] as const;

/**
 * An import is `uploading` until all parts of the archive have arrived, then `ready`. It is `running` while a
 * node reads or writes. A dry run ends as `planned`, and the import itself as `done`. Both may end as
 * `failed`.
 */
export const importStates = ['uploading', 'ready', 'running', 'planned', 'done', 'failed'] as const;

/** A line in the log of an import. */
interface ImportLine {
  at: number;
  text: string;
}

/** An import through a running node, started by a platform admin. */
interface ImportRow extends Row {
  /** The platform admin who started the import. */
  creatorId: string;
  source: (typeof importSources)[number];
  /** The target server; null for a new one that has not been created yet. */
  serverId: string | null;
  /** The name and the owner of a new server. */
  newServer: string | null;
  ownerId: string | null;
  /** The name of the uploaded file. */
  name: string;
  /** The size of the archive, and the bytes received so far. */
  bytes: number;
  received: number;
  /** The expected SHA-256 of the archive, in hexadecimal; null if the client did not provide one. */
  sha256: string | null;
  state: (typeof importStates)[number];
  /** Whether this is a dry run. */
  isDryRun: boolean;
  /** The number of rows read so far, and the total, which is null until a dry run has counted the rows. */
  rows: number;
  totalRows: number | null;
  /** The report of the dry run. The report of the import must be the same. */
  planned: object | null;
  report: object | null;
  /** Why the import failed; null if it did not. */
  failure: string | null;
  log: readonly ImportLine[];
}

export const serverImport: Table<ImportRow> = {
  key: ['id'],
  json: ['planned', 'report', 'log'],
  inExportOf: { creatorId: {}, ownerId: { isScanned: true } },
  outlives: { serverId: 'an import is listed until it is a week old' },
  keptFor: { ms: IMPORT_MS, since: 'createdAt' },
};
