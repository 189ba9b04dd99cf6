import type { Records } from '../../api/records.ts';

/** Maximum members of a direct message. */
export const MAX_MEMBERS = 10;

/** Whether a direct message with the members of this one and somebody else is possible. */
export const hasRoom = ({ kind, memberIds }: Records['Channel']): boolean =>
  kind === 'dm' && (memberIds?.length ?? 0) < MAX_MEMBERS;
