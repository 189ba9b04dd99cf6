/**
 * The author index of messages on SQLite. With a regular index, nearly every message in a batch would touch a
 * different page if many channels are written to. Updating these pages would take half of the SQL time of a
 * send. The index is therefore a table that is filled asynchronously, in chunks and in index order, soon
 * after messages are sent. Until then, reads scan the messages themselves, through the view `messageByAuthor`
 * (docs/decisions/0057).
 */

/** Number of messages per chunk, which takes a few milliseconds. */
const CHUNK_ROWS = 512;

const filed = '(select ord from "authorProgress")';
const newest = '(select coalesce(max(ord), 0) from message)';
const columns = '"channelId", "creatorId", id';
/** The columns of the key. The author comes first, so that the index also finds the channels of an author. */
const key = '"creatorId", "channelId", id';

/**
 * Returns the statement that creates the view. Each half of the view is sorted by id within an author and a
 * channel, so a page scans only its own rows and the channel's messages that are not indexed yet.
 */
const viewOf = (shown: string): string =>
  `create view "messageByAuthor" as
    select author."channelId", author."creatorId", author.id, type, "isThreadReply", "threadId", ${shown}
      from "authorIndex" as author cross join message on message.id = author.id and message."channelId" = author."channelId"
    union all
    select ${columns}, type, "isThreadReply", "threadId", ${shown}
      from message where id >= (select id from message where ord > ${filed} order by ord limit 1) and +ord > ${filed}`;

/** Triggers that update the index when messages are deleted, or their author or channel changes. */
const triggers = [
  // If the last row is deleted, SQLite reuses its `ord`. The next row with that `ord` must be treated as new.
  `create trigger author_index_delete after delete on message begin
    delete from "authorIndex" where (${columns}) = (old."channelId", old."creatorId", old.id);
    update "authorProgress" set ord = ${newest} where ord > ${newest};
  end`,
  `create trigger author_index_update after update of ${columns} on message begin
    delete from "authorIndex" where (${columns}) = (old."channelId", old."creatorId", old.id);
    insert into "authorIndex" select new."channelId", new."creatorId", new.id where new.ord <= ${filed};
  end`,
];

/** Returns the statements that replace the author index. */
export const authorIndexSchema = (): string[] => [
  `create table "authorIndex" ("channelId" text not null, "creatorId" text not null, id text not null,
    primary key (${columns})) without rowid`,
  `insert into "authorIndex" select ${columns} from message order by ${columns}`,
  'drop index message_creator',
  // The last message that is indexed. All earlier ones are also indexed.
  'create table "authorProgress" (ord integer not null)',
  `insert into "authorProgress" values (${newest})`,
  ...triggers,
  viewOf('record, attachments'),
];

/** Statements that add the column `stream` to the view of messages by author. */
export const authorViewWithStreams = ['drop view "messageByAuthor"', viewOf('record, attachments, stream')];

/** Statements that add the column `blocks` to the view of messages by author. */
export const authorViewWithBlocks = [
  'drop view "messageByAuthor"',
  viewOf('record, attachments, stream, blocks'),
];

/** Changes the key of the index, so that it starts with the author instead of the channel. */
export const authorsFirst = [
  'drop view "messageByAuthor"',
  'drop trigger author_index_delete',
  'drop trigger author_index_update',
  `create table "authorIndexByKey" ("channelId" text not null, "creatorId" text not null, id text not null,
    primary key (${key})) without rowid`,
  `insert into "authorIndexByKey" select ${columns} from "authorIndex" order by ${key}`,
  'drop table "authorIndex"',
  'alter table "authorIndexByKey" rename to "authorIndex"',
  ...triggers,
  viewOf('record, attachments, stream, blocks'),
];

interface Scalars {
  scalar(sql: string): unknown;
}

/** Whether all messages are in the index. */
export const isFiled = (connection: Scalars): boolean =>
  connection.scalar(`select ${newest} <= ${filed}`) === 1;

/**
 * Indexes a chunk of the new messages in the current transaction. Returns their number, and whether there
 * are more.
 */
export function fileChunk(connection: Scalars): { count: number; more: boolean } {
  const fresh = `from message where ord > ${filed} order by ord limit ${CHUNK_ROWS}`;
  const count = Number(connection.scalar(`select count(*) from (select 1 ${fresh})`));
  if (count === 0) return { count, more: false };
  connection.scalar(
    `insert or ignore into "authorIndex" select ${columns} from (select ${columns} ${fresh}) order by ${key}`,
  );
  connection.scalar(`update "authorProgress" set ord = (select max(ord) from (select ord ${fresh}))`);
  return { count, more: count === CHUNK_ROWS };
}
