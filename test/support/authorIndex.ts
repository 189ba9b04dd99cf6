import type { World } from './world.ts';

type Connection = { scalar(sql: string): unknown };

/** The write connection on the embedded engine. Undefined on PostgreSQL, whose index always contains all messages. */
export const connectionOf = ({ place, data }: World): Connection | undefined =>
  place.database ? undefined : (data as unknown as { db: { connection: Connection } }).db.connection;

/** Sets how far messages are indexed by author, as in a copy of the data that was made during indexing. */
export function fileUpTo(world: World, place: number): void {
  const connection = connectionOf(world);
  const columns = '"channelId", "creatorId", id';
  const upTo = `(select ord from message order by ord limit 1 offset ${place})`;
  connection?.scalar('delete from "authorIndex"');
  connection?.scalar(
    `insert into "authorIndex" select ${columns} from message where ord < coalesce(${upTo}, 1e15)`,
  );
  connection?.scalar(
    `update "authorProgress" set ord = coalesce(${upTo} - 1, (select max(ord) from message))`,
  );
}
