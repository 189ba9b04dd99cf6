import type { ColumnTypes } from '../migrate.ts';

/** Adds the hosts that flows may send a secret to. */
export default (t: ColumnTypes): string[] => [`alter table secret add column hosts ${t.json}`];

export const isBackwardCompatible = true;
