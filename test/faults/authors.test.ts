// @run sqlite: tests the index by author on SQLite
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { change } from '../support/moves.ts';
import { call, type Running, Stage, until } from '../support/process.ts';

/**
 * Rounds in which the process is killed while it indexes messages by author, and the number of messages to
 * index.
 */
const ROUNDS = 3;
const MESSAGES = 20_000;
const PATIENCE_MS = 30_000;

const stage = new Stage();
after(() => stage.close());

test(`${ROUNDS} kills while messages are indexed by author: the author has all messages, once`, async () => {
  const folder = stage.folder();
  const first = await stage.start(folder);
  const { key, channelId } = first;
  const body = { channelId, content: 'first' };
  const sent = (await call(first, 'POST', '/api/v1/messages', { key, body })).body.data;
  assert.equal(await first.end(), 0);
  addMessages(folder, sent.id);
  const file = join(folder, 'palaver.db');
  const filed = () => read(file, 'select ord from "authorProgress"')[0] as number;
  for (let round = 0; round < ROUNDS; round++) {
    const before = filed();
    const server = await stage.start(folder);
    await until(() => filed() > before, PATIENCE_MS, 1);
    await server.end('SIGKILL');
    assert.ok(filed() > before && filed() <= MESSAGES, `${filed()} messages were indexed at the kill`);
    const isExact = 'select count(*) = (select ord from "authorProgress") from "authorIndex"';
    assert.deepEqual(read(file, isExact), [1], 'the index has exactly the indexed messages');
  }
  const all = read(file, 'select id from message order by id desc');
  assert.equal(all.length, MESSAGES + 1);
  const server = await stage.start(folder);
  const path = `/api/v1/channels/${channelId}/messages?limit=100&creatorId=${sent.creatorId}`;
  assert.deepEqual(await idsAt(server, key, path), all);
  await until(() => filed() > MESSAGES, PATIENCE_MS);
  assert.deepEqual(await idsAt(server, key, path), all);
  assert.equal(await server.end(), 0);
});

/** Runs a query on a database file, and returns the values of all rows in one list. */
function read(file: string, sql: string): unknown[] {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
  try {
    return database.prepare(sql).all().flatMap(Object.values);
  } finally {
    database.close();
  }
}

/** Adds copies of a message to a data folder, with new ids. */
function addMessages(folder: string, id: string): void {
  const columns = `"createdAt", "updatedAt", "serverId", type, "channelId", "isThreadReply", "creatorId", content, deleted,
    "editedAt", "threadId", "replyToId", pinned, reactions`;
  change(
    folder,
    `with recursive number (n) as (select 1 union all select n + 1 from number where n < ${MESSAGES})
      insert into message (id, ${columns})
      select substr(id, 1, 24) || printf('%012x', n), ${columns} from number, message where id = '${id}'`,
  );
}

async function idsAt(server: Running, key: string, path: string): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor = ''; ; ) {
    const { status, body } = await call(server, 'GET', path + cursor, { key });
    assert.equal(status, 200, JSON.stringify(body));
    ids.push(...body.data.map(({ id }: { id: string }) => id));
    if (body.nextCursor === null) return ids;
    cursor = `&cursor=${encodeURIComponent(body.nextCursor)}`;
  }
}
