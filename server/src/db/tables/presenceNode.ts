import type { Table } from './facts.ts';

/** A node on which people have event streams open. It is considered alive until its lease expires. */
interface PresenceNodeRow {
  id: string;
  aliveUntil: number;
}

export const presenceNode: Table<PresenceNodeRow> = {
  key: ['id'],
  // Rows are kept as long as other nodes may have to publish that the node's people are offline.
  keptFor: { ms: 60 * 60_000, since: 'aliveUntil' },
};
