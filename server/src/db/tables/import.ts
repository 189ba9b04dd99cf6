import type { Row, Table } from './facts.ts';

/** Retention of imports, in milliseconds. */
export const IMPORT_MS = 7 * 24 * 60 * 60_000;

/** The products that history is imported from, with their names for `--from`. */
export const importSources = ['slack', 'discord', 'mattermost', 'zulip', 'rocketchat', 'palaver'] as const;

/** Kinds of rows that the report of an import counts. `messages` includes replies. */
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
 * `uploading` until all parts of the archive are there, then `ready`. `running` while a node reads or writes. A dry run
 * ends in `planned`, and the import itself in `done`. Both may end in `failed`.
 */
export const importStates = ['uploading', 'ready', 'running', 'planned', 'done', 'failed'] as const;

/** A line in the log of an import. */
interface ImportLine {
  at: number;
  text: string;
}

/** An import through a running node, started by a platform admin. */
interface ImportRow extends Row {
  /** The platform admin who started it. */
  creatorId: string;
  source: (typeof importSources)[number];
  /** The target server; null for a new one that is not created yet. */
  serverId: string | null;
  /** The name and the owner of a new server. */
  newServer: string | null;
  ownerId: string | null;
  /** The name of the uploaded file. */
  name: string;
  /** The size of the archive, and the bytes received so far. */
  bytes: number;
  received: number;
  /** The expected SHA-256 of the archive, in hexadecimal; null if the client did not provide it. */
  sha256: string | null;
  state: (typeof importStates)[number];
  /** Whether this is a dry run. */
  isDryRun: boolean;
  /** Rows read so far, and the total, which is null until a dry run has counted them. */
  rows: number;
  totalRows: number | null;
  /** The report of the dry run. The import's report must be equal. */
  planned: object | null;
  report: object | null;
  /** Why the import failed; null unless it did. */
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
