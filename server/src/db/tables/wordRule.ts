import { ofServer, type Row, type Table } from './facts.ts';

/** A pattern that matches words. Messages in the server that contain such a word are held or rejected. */
interface WordRuleRow extends Row {
  serverId: string;
  creatorId: string;
  pattern: string;
  action: 'hold' | 'refuse';
  /**
   * A random number that changes with each update. Nodes compare the sum over a server's rules to detect
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
