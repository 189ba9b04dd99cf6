// @run sqlite: is about the index of the search on SQLite
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { noFigures, type SearchPage } from '../../server/src/db/contract.ts';
import { migrate } from '../../server/src/db/open.ts';
import { SqliteConnection } from '../../server/src/db/sqlite/connection.ts';
import { indexChunk } from '../../server/src/db/sqlite/messageIndex.ts';
import { readingOf } from '../../server/src/db/sqlite/reader.ts';
import { SearchIndexer } from '../../server/src/db/sqlite/searchIndexer.ts';

// Limits on the work of one indexing batch, and of one search.

const channelOf = (number: number): string => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`;
const [crowded, quiet, wordy] = [channelOf(1), channelOf(2), channelOf(3)];
/** Enough for FTS5 to merge its index many times. */
const MESSAGES = 80_000;
const ROWS = 128;
/** Pages of the file that one commit may write. By default, FTS5 merges hundreds at once. */
const MAX_PAGES = 42;
const LONG = 'ten letters '.repeat(660);

const folder = mkdtempSync(join(tmpdir(), 'palaver-test-'));
const file = join(folder, 'palaver.db');
let connection: SqliteConnection;
before(async () => {
  connection = new SqliteConnection(file, {});
  connection.exec('pragma journal_mode = wal; pragma wal_autocheckpoint = 0; pragma synchronous = off');
  await migrate(connection);
});
after(() => {
  connection.close();
  rmSync(folder, { recursive: true });
});

/** Adds messages to a channel; `content` is SQL, in which `n` is their number. */
function addMessages(channelId: string, amount: number, content: string): void {
  connection.exec(`with recursive numbered (n) as (
      select (select coalesce(max(ord), 0) + 1 from message) union all select n + 1 from numbered limit ${amount})
    insert into message (id, "createdAt", "updatedAt", "serverId", type, "channelId", "isThreadReply", "creatorId", content, deleted, pinned, reactions)
      select printf('%08d-0000-7000-8000-000000000000', n), 1, 1, 's', 'person', '${channelId}', 0, 'u', ${content}, 0, 0, '[]'
      from numbered`);
}

/** The page of a search for a word that does not occur, and the number of statements that it took. */
async function search(channelId: string): Promise<SearchPage & { statements: number }> {
  let statements = 0;
  const counted = new Proxy(connection, {
    get(target, name) {
      const member = target[name as keyof SqliteConnection];
      if (typeof member !== 'function') return member;
      statements++;
      return member.bind(target);
    },
  });
  const reader = readingOf(counted, {
    runInTurn: (_tenant, task) => task(),
    durable: (result) => result,
    onSearch: () => {},
  })('');
  const page = await reader.search({
    channelId,
    text: 'haystack',
    order: 'desc',
    limit: 50,
    from: undefined,
    creatorId: null,
    type: null,
    isThreadReply: null,
    firstId: null,
    beyondId: null,
    isSweeping: false,
  });
  return { ...page, statements };
}

test('a search reads no texts of other channels', async () => {
  addMessages(crowded, MESSAGES, `'word' || n % 997 || ' beside word' || n || ' and others like them'`);
  addMessages(quiet, 1, `'alone'`);
  const { next, statements } = await search(quiet);
  assert.equal(next, undefined);
  assert.ok(statements < 20, `${statements} statements`);
});

test('no batch commit writes more than a few pages of the index', () => {
  const sizeOfLog = () => statSync(`${file}-wal`).size;
  let most = 0;
  for (let more = true; more; ) {
    const size = sizeOfLog();
    connection.scalar('begin immediate');
    ({ more } = indexChunk(connection, ROWS));
    connection.scalar('commit');
    most = Math.max(most, (sizeOfLog() - size) / 4096);
  }
  assert.ok(most <= MAX_PAGES, `${most.toFixed(0)} pages`);
  const segments = Number(connection.scalar('select count(distinct segid) from message_search_idx'));
  assert.ok(segments < 16, `${segments} segments are left, and each search reads all of them`);
});

test('long messages are scanned and indexed a few at a time', async () => {
  addMessages(wordy, ROWS, `'${LONG}'`);
  const { statements } = await search(wordy);
  // A page has at least four batches of three texts each.
  assert.ok(statements >= 10, `${statements} statements`);
  assert.deepEqual(indexChunk(connection, ROWS).count, 1);
});

test('under constant load, commits index messages by author in batches', () => {
  const filed = () => Number(connection.scalar('select ord from "authorProgress"'));
  const idle = { figures: noFigures(), write: () => assert.fail('there was a pause') };
  const indexer = new SearchIndexer(idle, connection, connection, () => false);
  try {
    const before = filed();
    indexer.beforeCommit(2_000);
    assert.equal(filed(), before, 'it waits for a pause at first');
    indexer.beforeCommit(100);
    const chunk = filed() - before;
    assert.ok(chunk > 100 && chunk <= 1_000, `${chunk} messages`);
    indexer.beforeCommit(100);
    assert.equal(filed(), before + chunk, 'it has caught up to the limit');
  } finally {
    indexer.stop();
  }
});
