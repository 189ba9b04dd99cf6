import { DatabaseSync } from 'node:sqlite';

/** Appends copies of a log's latest event to a node's data file, as a backlog without readers. */
export function repeatLatest(file: string, logId: string, amount: number): void {
  const db = new DatabaseSync(file);
  const copied = '"logId", type, "actorId", "channelId", "userId", at, data, "contentOf", version, epoch';
  db.prepare(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < ?)
     insert into event (${copied}, seq) select ${copied}, seq + i
     from (select * from event where "logId" = ? order by seq desc limit 1), n`,
  ).run(amount, logId);
  db.close();
}
