import type { ColumnTypes } from '../migrate.ts';

/** Adds the role of the key, webhook or flow that sent a held message. */
export default (t: ColumnTypes): string[] => [`alter table "heldMessage" add column "roleId" ${t.idOrNull}`];

export const isBackwardCompatible = true;
