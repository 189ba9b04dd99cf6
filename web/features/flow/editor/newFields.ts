import type { Records } from '../../../api/records.ts';

/** The fields of a new flow before it is edited. */
export type NewFields = Pick<Records['Flow'], 'name' | 'description' | 'trigger' | 'steps'>;
