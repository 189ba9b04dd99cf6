import type { Search } from '../searchTerms.ts';
import { fold, wordsIn, wordsOf } from '../searchWords.ts';
import { inSavepoint, type OnUnindexed, recordUnindexed, Unindexable } from './unindexed.ts';

/**
 * The full-text index of messages on SQLite: a contentless FTS5 table. FTS5 merges the posting lists of all
 * words with a prefix before it returns the first row. Therefore the index is split into blocks of
 * consecutive messages, and each word is stored with a key in front that identifies its block and channel.
 * A search goes through its channel's blocks one by one, so its cost depends neither on other channels nor
 * on the size of the history. New messages are indexed in chunks soon after they were sent; until then, a
 * search reads their texts (docs/decisions/0009).
 */

/** Approximate amount of text in a block: characters, plus `ROW_SIZE` per message. */
const BLOCK_SIZE = 256 * 1024;
const ROW_SIZE = 32;
/** Bytes of text per chunk, unless a single message has more. */
const CHUNK_SIZE = 8 * 1024;
/** Maximum index pages merged per chunk: about twice as many as needed to keep up. */
const MERGED_PAGES = 16;

/** The statements that replace the first message index. */
export const messageIndexSchema = (): string[] => [
  ...['delete', 'update'].map((event) => `drop trigger message_search_${event}`),
  'drop table message_search',
  'drop table "searchProgress"',
  // `ascii` treats every non-ASCII character as part of a word, so only `wordsOf` determines what a word
  // is.
  `create virtual table message_search using fts5 (body, content='', contentless_delete=1, tokenize="ascii")`,
  // By default, FTS5 merges the index once a tenth of it is deleted, which adds half a second to that
  // commit.
  `insert into message_search (message_search, rank) values ('deletemerge', 0)`,
  // The last indexed message, the first one of its block, and the amount of text in that block.
  'create table "searchProgress" (ord integer not null, block integer not null, size integer not null)',
  'insert into "searchProgress" values (0, 0, 0)',
  // For each channel, the blocks that contain its messages, identified by their first message.
  `create table "searchBlock" ("channelId" text not null, block integer not null, primary key ("channelId", block)) without rowid`,
  'create index search_block on "searchBlock" (block)',
  // SQLite reuses the `ord` of a deleted last row; the next row with that `ord` must be treated as new.
  `create trigger message_search_delete after delete on message begin
    delete from message_search where rowid = old.ord;
    update "searchProgress" set ord = (select coalesce(max(ord), 0) from message)
      where ord > (select coalesce(max(ord), 0) from message);
    delete from "searchBlock" where block > (select ord from "searchProgress");
  end`,
  `create trigger message_search_update after update on message
    when old.ord <= (select ord from "searchProgress") and old.content is not new.content begin
    delete from message_search where rowid = old.ord;
    insert into message_search (rowid, body) values (new.ord, search_text(new."channelId",
      (select max(block) from "searchBlock" where "channelId" = new."channelId" and block <= new.ord), new.content));
  end`,
];

/**
 * The statements that leave merging to `indexChunk`. FTS5's automatic merges process a few hundred pages
 * at once, in every 64th statement, and writes waited up to 60 ms for that. Also deletes the blocks of
 * channels that were swept before sweeps did so.
 */
export const boundedMergesSchema = (): string[] => [
  `insert into message_search (message_search, rank) values ('automerge', 0)`,
  'delete from "searchBlock" where "channelId" not in (select id from channel)',
];

/** SQL functions that the index needs on every connection that changes messages. */
export const searchFunctions: Readonly<Record<string, (...values: never[]) => string>> = {
  search_text: (channelId: string, block: number, content: string) => {
    const key = keyOf(channelId, block);
    return indexableWords(content)
      .map((word) => key + word)
      .join(' ');
  },
};

function indexableWords(content: string): string[] {
  try {
    return wordsOf(content);
  } catch (error) {
    throw new Unindexable((error as Error).message);
  }
}

/**
 * The keys have a fixed length, so no key is a prefix of another. Two channels whose ids end the same share
 * words, but not hits.
 */
const keyOf = (channelId: string, block: number): string =>
  block.toString(36).padStart(9, '0') + channelId.slice(-12);

interface Terms {
  /** Each must be the prefix of a word. */
  prefixes: string[];
  /** Each must occur as words in sequence. */
  phrases: string[][];
}

/** The terms of a search; undefined if nothing can match. */
export function termsOf({ words, phrases }: Search): Terms | undefined {
  const terms = { prefixes: words.map((word) => wordsOf(word)), phrases: phrases.map(wordsOf) };
  const all = [...terms.prefixes, ...terms.phrases];
  if (all.length === 0 || all.some((folded) => folded.length === 0)) return undefined;
  const prefixes = [...new Set(terms.prefixes.flat())];
  return {
    // A text with a word that starts with `them` also has one that starts with `the`.
    prefixes: prefixes.filter((one) => !prefixes.some((other) => other !== one && other.startsWith(one))),
    phrases: terms.phrases,
  };
}

/** The FTS5 query for terms in one block of a channel. */
export function matchOf({ prefixes, phrases }: Terms, channelId: string, block: number): string {
  const key = keyOf(channelId, block);
  const quoted = [
    ...prefixes.map((word) => `"${key}${word}"*`),
    ...phrases.map((words) => `"${words.map((word) => key + word).join(' ')}"`),
  ];
  return quoted.join(' AND ');
}

/** Creates a predicate that tests texts for terms. */
export function matcherOf({ prefixes, phrases }: Terms): (content: string) => boolean {
  const parts = [...prefixes, ...phrases.flat()];
  return (content) => {
    const folded = fold(content);
    // Most texts do not contain the words, and this check is much cheaper than splitting the text.
    if (!parts.every((part) => folded.includes(part))) return false;
    const words = wordsIn(folded);
    const hasPhrase = (phrase: readonly string[]) =>
      words.some((_, start) => phrase.every((word, index) => words[start + index] === word));
    return (
      prefixes.every((prefix) => words.some((word) => word.startsWith(prefix))) && phrases.every(hasPhrase)
    );
  };
}

interface Scalars {
  scalar(sql: string): unknown;
}

/** Whether every message is in the index. */
export const isIndexed = (connection: Scalars): boolean =>
  connection.scalar('select coalesce(max(ord), 0) <= (select ord from "searchProgress") from message') === 1;

/** The outcome of a chunk: how many messages it indexed, and whether there is work for another chunk. */
interface Indexed {
  count: number;
  more: boolean;
}

/**
 * Indexes up to `rows` new messages (fewer if they are long) and merges a bounded part of the index, in the
 * current transaction. `rows` is a power of two, because each number needs its own prepared statements.
 */
export function indexChunk(connection: Scalars, rows: number, tell: OnUnindexed = () => {}): Indexed {
  let fitting = rows;
  while (fitting > 1 && sizeOf(connection, fitting) > CHUNK_SIZE) fitting /= 2;
  let count: number | undefined;
  while (count === undefined) {
    count = tryRows(connection, fitting, tell);
    if (count === undefined) fitting /= 2;
  }
  const before = changesOf(connection);
  connection.scalar(`insert into message_search (message_search, rank) values ('merge', ${MERGED_PAGES})`);
  // The statement itself is counted as one change (sqlite.org/fts5.html, 6.8).
  const hasMerged = changesOf(connection) - before > 1;
  return { count, more: count === fitting || hasMerged };
}

/** The lowest rowid of a page in which FTS5 notes deleted rows: those of segments, with 2^16 added to their number. */
const TOMBSTONES = '9007199254740992';

/**
 * Removes the words of deleted and edited messages from the index of a copy. FTS5 only marks them as deleted until it
 * has merged all of the index, and the copy may be kept for years.
 */
export function purgeIndex(copy: Scalars & { exec(sql: string): void }): void {
  if (copy.scalar(`select count(*) from message_search_data where id >= ${TOMBSTONES}`) === 0) return;
  copy.exec(`insert into message_search (message_search) values ('optimize')`);
  // Otherwise, the words would stay in freed parts of the file, some of them even with `secure_delete`.
  copy.exec('vacuum');
}

const currentBlock = '(select block from "searchProgress")';

const changesOf = (connection: Scalars): number => Number(connection.scalar('select total_changes()'));

/** The size in bytes of the next new messages. */
const sizeOf = (connection: Scalars, rows: number): number =>
  Number(
    connection.scalar(
      `select coalesce(sum(size), 0) from (select octet_length(content) as size ${freshRows(rows)})`,
    ),
  );

const freshRows = (rows: number): string =>
  `from message where ord > (select ord from "searchProgress") order by ord limit ${rows}`;

/** Like `indexRows`, but skips a single message that cannot be indexed. Undefined if one is among several. */
function tryRows(connection: Scalars, rows: number, tell: OnUnindexed): number | undefined {
  try {
    return inSavepoint(connection, () => indexRows(connection, rows));
  } catch (error) {
    if (!(error instanceof Unindexable)) throw error;
    if (rows > 1) return undefined;
    tell(recordUnindexed(connection, freshRows(1)), true);
    return indexRows(connection, 1, `''`);
  }
}

/** Indexes up to `rows` new messages, or other `words` for them. Returns how many. */
function indexRows(
  connection: Scalars,
  rows: number,
  words = `search_text("channelId", ${currentBlock}, content)`,
): number {
  const fresh = freshRows(rows);
  const count = Number(connection.scalar(`select count(*) from (select 1 ${fresh})`));
  if (count === 0) return 0;
  const begins = `size >= ${BLOCK_SIZE} or block > ord or block = 0`;
  connection.scalar(`update "searchProgress" set block = ord + 1, size = 0 where ${begins}`);
  connection.scalar(`insert into message_search (rowid, body) select ord, ${words} ${fresh}`);
  connection.scalar(
    `insert or ignore into "searchBlock" select distinct "channelId", ${currentBlock} from (select "channelId" ${fresh})`,
  );
  connection.scalar(`update "searchProgress" set (ord, size) = (select max(ord), "searchProgress".size + sum(text)
    from (select ord, length(content) + ${ROW_SIZE} as text ${fresh}))`);
  return count;
}
