import type { Records } from '../../api/records.ts';

/** Maximum members of a direct message. */
export const MAX_MEMBERS = 10;

/** Whether this is a direct message to which at least one more person can be added. */
export const hasRoom = ({ kind, memberIds }: Records['Channel']): boolean =>
  kind === 'dm' && (memberIds?.length ?? 0) < MAX_MEMBERS;
