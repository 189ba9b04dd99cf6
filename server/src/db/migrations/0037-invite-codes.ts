import type { ColumnTypes } from '../migrate.ts';

/** Adds the codes of short invite links, and when the server withdrew an invitation of one person. */
export default (t: ColumnTypes): string[] => [
  'alter table invite add column code text',
  'create unique index invite_code on invite (code)',
  `alter table invitation add column "withdrawnAt" ${t.timeOrNull}`,
];

export const isBackwardCompatible = true;
