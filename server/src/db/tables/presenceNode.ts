import type { Table } from './facts.ts';

/** A node on which people have streams. It is alive as long as it says so. */
interface PresenceNodeRow {
  id: string;
  aliveUntil: number;
}

export const presenceNode: Table<PresenceNodeRow> = {
  key: ['id'],
  // As long as the others may need to tell that its people are gone.
  keptFor: { ms: 60 * 60_000, since: 'aliveUntil' },
};
