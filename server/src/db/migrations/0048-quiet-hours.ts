import type { ColumnTypes } from '../migrate.ts';

/** Adds quiet hours and keyword notifications. */
export default (t: ColumnTypes): string[] => [
  `alter table person add column "quietHours" ${t.json}`,
  `create table "keywordList" (id ${t.id} primary key, "createdAt" ${t.time}, "updatedAt" ${t.time},
    keywords ${t.json} not null, version ${t.time})`,
  'create index keyword_list_version on "keywordList" (version)',
];

export const isBackwardCompatible = true;
