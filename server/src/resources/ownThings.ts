import type { RowOf } from '../db/schema.ts';

/**
 * The types of notifications that a user gets even if they can no longer see the channel, or if it was
 * deleted.
 */
export const ofOwnThings: readonly RowOf<'notification'>['type'][] = ['schedule', 'flow'];
