import type { ColumnTypes } from '../migrate.ts';

/** Adds the kind of actor to events, tombstones and the audit log. It is null (unknown) in earlier rows. */
export default (_t: ColumnTypes): string[] => [
  'alter table event add column actor text',
  'alter table sweep add column actor text',
  'alter table audit add column actor text',
];
