import { isSame } from './same.ts';
import type { LiveEvent, Rows, ServerState } from './types.ts';

type Standing = ServerState['standing'];

/** True if the event may change which channels the person sees, or may do: the snapshot has to be read anew. */
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

/** True for an event of others that a client with views does not keep: reactions of others are numbers in their message. */
export const isOwnAlone = (event: LiveEvent, userId: string | undefined): boolean =>
  (event.type === 'reaction.created' || event.type === 'reaction.deleted') && event.data.userId !== userId;

/** While a snapshot is read, its answer may be older than these: then it is read once more. */
export const mayChangeSight = (type: string): boolean => /^(sight|userRole|role|server)\b/.test(type);

/**
 * True if a channel may have been out of sight for a moment, without a word of it: the stream judges each event by the channel as it
 * is at the time of telling, so it may leave out a message and then tell the update that had hidden it. The channel is private, or
 * not here yet while a view of it may be under way, or nothing that is shown of it has changed.
 */
export const wasHidden = (old: Rows['channel'] | undefined, row: Rows['channel']): boolean =>
  old === undefined ||
  old.private ||
  row.private ||
  isSame({ ...old, updatedAt: 0 }, { ...row, updatedAt: 0 });
