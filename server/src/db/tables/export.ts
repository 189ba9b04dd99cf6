import { ofServer, type Row, type Table } from './facts.ts';

/** Retention of exports, in milliseconds. */
export const EXPORT_MS = 7 * 24 * 60 * 60_000;

/** An export of a server or a channel, started through the API. */
interface ExportRow extends Row {
  serverId: string;
  /** The only channel to export; null for the whole server. */
  channelId: string | null;
  /** The user who started the export. */
  creatorId: string;
  state: 'running' | 'done' | 'failed';
  /** Messages exported so far. */
  messages: number;
  /** The size of the archive, once it is complete. */
  bytes: number | null;
}

/** The archive is stored under the row's id. A trigger adds it to `fileRemoval` when the row is deleted. */
export const serverExport: Table<ExportRow> = {
  key: ['id'],
  inExportOf: { creatorId: {} },
  goesWith: ofServer,
  outlives: { channelId: 'an archive is independent of the channel' },
  keptFor: { ms: EXPORT_MS, since: 'createdAt' },
};
