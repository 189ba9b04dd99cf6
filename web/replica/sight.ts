import { isSame } from './same.ts';
import type { LiveEvent, Rows, ServerState } from './types.ts';

type Standing = ServerState['standing'];

/**
 * True if the event may change which channels the user can see or what they may do, so the snapshot has to
 * be read again.
 */
export function changesSight(event: LiveEvent, { userId, roleIds, isServerCreator }: Standing): boolean {
  switch (event.type) {
    case 'sight':
      return true;
    case 'role.updated':
    case 'role.deleted':
      return roleIds.includes(event.data.id);
    case 'server.updated':
      return (event.data.creatorId === userId) !== isServerCreator;
    case 'userRole.created':
    case 'userRole.deleted':
      return event.data.userId === userId;
    default:
      return false;
  }
}

/**
 * True for events about other users' reactions, which the replica does not store: they only appear as counts
 * in the message.
 */
export const isOwnAlone = (event: LiveEvent, userId: string | undefined): boolean =>
  (event.type === 'reaction.created' || event.type === 'reaction.deleted') && event.data.userId !== userId;

/**
 * True for types of events that may change what the user can see. If one arrives while a snapshot is being read, the
 * snapshot is read once more.
 */
export const mayChangeSight = (type: string): boolean => /^(sight|userRole|role|server)\b/.test(type);

/**
 * True if a channel may have been hidden for a moment without notice. The stream checks visibility when it
 * sends an event, so it may omit a message and later send the update that had hidden the channel. This is
 * possible if the channel is private, if the replica does not have it yet but its view may be in flight, or
 * if the update changed no visible field. A direct message is never hidden: its members do not change.
 */
export const wasHidden = (old: Rows['channel'] | undefined, row: Rows['channel']): boolean =>
  row.kind !== 'dm' &&
  (old === undefined ||
    old.private ||
    row.private ||
    isSame({ ...old, updatedAt: 0 }, { ...row, updatedAt: 0 }));
