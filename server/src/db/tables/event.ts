import type { Generated } from 'kysely';
import type { Numbered, Table } from './facts.ts';

/**
 * The event log: what happened in a server, numbered without gaps in the order of the commits. Events are kept for the days
 * of the setting `eventDays`, and each server's latest for ever: its number is where the next goes on.
 */
interface EventRow extends Numbered {
  serverId: string;
  seq: number;
  type: string;
  actorId: string | null;
  channelId: string | null;
  at: number;
  data: string;
  /** Which history of the data the event belongs to: 12 hexadecimal digits. */
  epoch: Generated<string>;
}

export const event: Table<EventRow> = {
  key: ['serverId', 'seq'],
  byEngine: ['ord'],
  outlives: { channelId: 'the log tells what happened in a channel that is gone' },
};
