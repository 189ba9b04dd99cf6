import type { ColumnTypes } from '../migrate.ts';
import { authorViewWithStreams } from '../sqlite/authorIndex.ts';

/** Adds streamed messages, a table for the text of incomplete ones, and the texts of agents' indicators. */
export default (t: ColumnTypes): string[] => [
  'alter table message add column stream text',
  ...(t.dialect === 'sqlite' ? authorViewWithStreams : []),
  `create table "messageStream" (id ${t.id} primary key, "createdAt" ${t.time}, "updatedAt" ${t.time},
    "serverId" ${t.id} references server (id) on delete cascade, holder ${t.text}, content ${t.text})`,
  'create index "messageStream_server" on "messageStream" ("serverId")',
  'alter table indicator add column text text',
];

export const isBackwardCompatible = true;
