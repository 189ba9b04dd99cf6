import type { Change } from './changes.ts';

interface Data {
  creatorId?: string;
  userId?: string;
  timeoutUntil?: number | null;
  outcome?: string | null;
  slowSeconds?: number;
  readonly?: boolean;
  locked?: boolean;
}

/**
 * Whether a change is a moderator's action. If the log lacks the previous state, a setting counts as
 * changed if it is on, and every update of another member counts.
 */
export function isModeration({ event, fields }: Change): boolean {
  const data = event.data as Data;
  const changed = (field: keyof Data) => (fields ? fields.includes(field) : Boolean(data[field]));
  switch (event.type) {
    case 'message.deleted':
      return event.actorId !== null && event.actorId !== data.creatorId;
    case 'serverMember.deleted':
      return event.actorId !== data.userId;
    case 'serverMember.updated':
      return event.actorId !== data.userId && (changed('timeoutUntil') || fields === undefined);
    case 'heldMessage.deleted':
      return data.outcome !== 'withdrawn';
    case 'channel.updated':
      return changed('slowSeconds') || changed('readonly');
    case 'thread.updated':
      return changed('locked');
    default:
      return true;
  }
}
