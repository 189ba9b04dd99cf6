import { timeOf } from '../reading/loose.ts';
import type { Ids } from '../row.ts';

/** Converts a message's `ts` to milliseconds since the Unix epoch. Throws ArchiveRefused. */
export const timeOfTs = (ts: string): number => timeOf(ts, 1_000);

/** Returns the id of the message with this time in a channel. */
export const messageIdOf = (ids: Ids, channel: string, ts: string): string =>
  ids('message', `${channel}:${ts}`, timeOfTs(ts));
