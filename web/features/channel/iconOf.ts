import type { Records } from '../../api/records.ts';

/** The icon of a channel: a speech bubble for a direct message, a lock if private, a megaphone if read-only. */
export const iconOf = ({ kind, private: isPrivate, readonly }: Records['Channel']) =>
  kind === 'dm' ? 'message-square' : isPrivate ? 'lock' : readonly ? 'megaphone' : 'hash';
