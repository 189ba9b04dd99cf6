import type { Everywhere, Lapse } from '../../feed/everywhere.ts';
import type { Gap } from '../../feed/positions.ts';
import type { Reading } from '../../feed/reading.ts';
import type { Frames } from './stream.ts';

/** The first block of a stream, with the clients' reconnect delay in milliseconds. */
const OPENING = ': events follow\nretry: 1000\n';

/** Formats a named event. Only clients that listen for its name receive it. */
const named = (event: string, data: object): string => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

/**
 * Returns the frames of a stream that follows one log. The first block contains the initial cursor, from
 * which a stream resumes if it breaks before its first event. Some clients store an id only if its block has
 * data. For them, `opensWithEvent` makes the first block an event. A `reset` follows if the stream cannot
 * resume from the client's cursor. Heartbeats also contain the cursor, because it may have moved past events
 * that the client cannot see.
 */
export function framesOf(reader: Reading, gap: Gap | undefined, opensWithEvent: boolean): Frames {
  const { cursor } = reader;
  const id = `id: ${cursor}\n`;
  const reset = gap ? id + named('reset', gap) : '';
  const opening = `${OPENING}${id}${opensWithEvent ? named('opening', { cursor }) : '\n'}`;
  return { cursor, opening: opening + reset, beat: () => `: \nid: ${reader.cursor}\n\n` };
}

/**
 * Returns the frames of a stream that follows all of a person's servers. Its cursors are not in a header,
 * because proxies reject long headers. Heartbeats contain the cursors that have moved.
 */
export function framesEverywhere(reading: Everywhere, lapses: readonly Lapse[]): Frames {
  const resets = lapses.map((lapse) => named('reset', lapse)).join('');
  return {
    opening: OPENING + named('opening', { userId: reading.userId, cursors: reading.cursors }) + resets,
    beat() {
      const cursors = reading.takeMoved();
      return Object.keys(cursors).length === 0 ? ': \n\n' : named('cursors', { cursors });
    },
  };
}

/** Notifies the client that the person joined a server. */
export const joinedFrame = (serverId: string, cursor: string): string =>
  named('joined', { serverId, cursor });

/** Notifies the client that the person left a server. */
export const leftFrame = (serverId: string): string => named('left', { serverId });
