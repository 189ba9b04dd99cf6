import { ofServer, type Row, type Table } from './facts.ts';

/** A job with a due time. Its id is that of the record to which it belongs. */
interface TimerRow extends Row {
  kind:
    | 'message'
    | 'reminder'
    | 'stream'
    | 'preview'
    | 'flow'
    | 'flowRun'
    | 'interaction'
    | 'export'
    | 'personExport'
    | 'import'
    | 'merge';
  /**
   * The server. Null only for imports, which may create their server, and for merges and personal exports,
   * which can concern several servers.
   */
  serverId: string | null;
  /** When the job is due. A node that claims the job moves this time to the end of its lease. */
  dueAt: number;
  /** The number of consecutive failed attempts. */
  attempts: number;
}

export const timer: Table<TimerRow> = {
  key: ['id'],
  goesWith: ofServer,
};
