import { ofServer, type Row, type Table } from './facts.ts';

interface IndicatorRow extends Row {
  type: string;
  /** The agent's current activity. */
  text: string | null;
  userId: string;
  serverId: string;
  channelId: string | null;
  threadId: string | null;
  lastActiveAt: number;
}

/** Lifetime of an indicator that is not renewed, in milliseconds. */
export const INDICATOR_MS = 10_000;

export const indicator: Table<IndicatorRow> = {
  key: ['id'],
  inExportOf: { userId: {} },
  goesWith: {
    ...ofServer,
    channelId: { table: 'channel', by: 'sweep' },
    threadId: { table: 'thread', by: 'sweep' },
  },
  keptFor: { ms: INDICATOR_MS, since: 'updatedAt' },
};
