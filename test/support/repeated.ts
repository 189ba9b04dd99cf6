import { DatabaseSync } from 'node:sqlite';

/** Appends the latest event of a log, so often, to the data file of a node: a backlog that nobody waits for. */
export function repeatLatest(file: string, logId: string, amount: number): void {
  const db = new DatabaseSync(file);
  const copied = '"logId", type, "actorId", "channelId", "userId", at, data, epoch';
  db.prepare(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < ?)
     insert into event (${copied}, seq) select ${copied}, seq + i
     from (select * from event where "logId" = ? order by seq desc limit 1), n`,
  ).run(amount, logId);
  db.close();
}
