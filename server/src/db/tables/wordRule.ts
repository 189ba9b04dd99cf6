import { ofServer, type Row, type Table } from './facts.ts';

/** A pattern for words. Messages in a server that contain them are held or rejected. */
interface WordRuleRow extends Row {
  serverId: string;
  creatorId: string;
  pattern: string;
  action: 'hold' | 'refuse';
  /**
   * A random number, which is new for each change. Nodes compare the sum over a server's rules to detect
   * stale caches.
   */
  version: number;
}

export const wordRule: Table<WordRuleRow> = {
  key: ['id'],
  isCached: true,
  inExportOf: { creatorId: { isOfServer: true, isScanned: true } },
  goesWith: ofServer,
};
