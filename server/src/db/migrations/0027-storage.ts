import type { ColumnTypes } from '../migrate.ts';

const files = ['attachment', 'picture'];

/** Adds the storage used by each person, and the person whose quota each file counts against. */
export default (t: ColumnTypes): string[] => {
  const replaced = (table: string) => [
    `drop trigger ${table}_deleted${t.dialect === 'postgres' ? ` on ${table}` : ''}`,
    ...(t.dialect === 'postgres' ? [`drop function ${table}_deleted()`] : []),
    ...t.afterDelete(table, [
      `insert into "fileRemoval" (id, "dueAt") values (old.id, 0) on conflict (id) do update set "dueAt" = 0`,
      'update "fileUse" set bytes = bytes - old.bytes where "serverId" = old."serverId"',
      'update "personUse" set bytes = bytes - old.bytes where "userId" = old."payerId"',
    ]),
  ];
  // Files of agents are attributed to the owner of their server.
  const payer = (table: string) => `(select case when "user".type = 'agent' and server.id is not null
      then server."creatorId" else "user".id end
    from "user" left join server on server.id = ${table}."serverId" where "user".id = ${table}."creatorId")`;
  return [
    `create table "personUse" ("userId" ${t.id} primary key, bytes ${t.time})`,
    ...files.flatMap((table) => [
      `alter table ${table} add column "payerId" ${t.idOrNull}`,
      `update ${table} set "payerId" = ${payer(table)}`,
      ...replaced(table),
    ]),
    `insert into "personUse" ("userId", bytes) select "payerId", sum(bytes) from
      (${files.map((table) => `select "payerId", bytes from ${table}`).join(' union all ')}) as files
      where "payerId" is not null group by "payerId"`,
  ];
};
