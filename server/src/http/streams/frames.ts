import type { Everywhere, Lapse } from '../../feed/everywhere.ts';
import type { Gap } from '../../feed/places.ts';
import type { Reading } from '../../feed/reading.ts';
import type { Frames } from './stream.ts';

/** The time after which a client reconnects, in milliseconds. */
const OPENING = ': events follow\nretry: 1000\n';

/** A block with a name of its own: it reaches nobody who has not asked for that name. */
const named = (event: string, data: object): string => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

/**
 * The frames of a stream of one log. The first block has the cursor at which the stream begins: one that is lost before its
 * first event goes on from there. Some clients keep an id only if its block has data, so a block of those that ask for it is
 * an event. A `reset` follows if the stream cannot go on from the client's cursor. Signs of life have the cursor, too, which
 * may have moved past events that the client does not see.
 */
export function framesOf(reader: Reading, gap: Gap | undefined, opensWithEvent: boolean): Frames {
  const { cursor } = reader;
  const id = `id: ${cursor}\n`;
  const reset = gap ? id + named('reset', gap) : '';
  const opening = `${OPENING}${id}${opensWithEvent ? named('opening', { cursor }) : '\n'}`;
  return { cursor, opening: opening + reset, beat: () => `: \nid: ${reader.cursor}\n\n` };
}

/**
 * The frames of a stream of all servers of a person. It has no header with its cursors, since proxies refuse long ones. Signs
 * of life have the cursors that have moved.
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

/** The block that tells of a server that a person has joined. */
export const joinedFrame = (serverId: string, cursor: string): string =>
  named('joined', { serverId, cursor });

/** The block that tells of a server that a person has left. */
export const leftFrame = (serverId: string): string => named('left', { serverId });
