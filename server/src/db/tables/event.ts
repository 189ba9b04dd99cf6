import type { Generated } from 'kysely';
import type { Numbered, Table } from './facts.ts';

/**
 * The event logs of servers and users, each numbered without gaps in the order of the commits. Events are kept for the days of the
 * setting `eventDays`, and each log's latest for ever: the next number follows its number.
 */
interface EventRow extends Numbered {
  /** The id of the server, or of the user, that the log belongs to. */
  logId: string;
  seq: number;
  type: string;
  actorId: string | null;
  /** The channel whose viewers alone are shown it. */
  channelId: string | null;
  /** The user who alone is shown it. */
  userId: string | null;
  /** Who may have lost sight of a channel by it, as JSON; null where nobody can have. */
  lostBy: string | null;
  at: number;
  data: string;
  /** Which history of the data the event belongs to: 12 hexadecimal digits. */
  epoch: Generated<string>;
}

export const event: Table<EventRow> = {
  key: ['logId', 'seq'],
  byEngine: ['ord'],
  outlives: { channelId: 'the log tells what happened in a channel that is gone' },
};
