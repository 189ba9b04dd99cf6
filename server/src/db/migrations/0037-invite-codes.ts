import type { ColumnTypes } from '../migrate.ts';

/** Adds the codes of short invite links, and the time at which the server withdrew a person's invitation. */
export default (t: ColumnTypes): string[] => [
  'alter table invite add column code text',
  'create unique index invite_code on invite (code)',
  `alter table invitation add column "withdrawnAt" ${t.timeOrNull}`,
];

export const isBackwardCompatible = true;
