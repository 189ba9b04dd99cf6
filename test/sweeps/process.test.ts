import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openData } from '../../server/src/node/data.ts';
import { countIn } from '../support/counted.ts';
import { addMembers, addReplies } from '../support/crowds.ts';
import { call, type Running, Stage, until } from '../support/process.ts';
import { listOf } from '../support/remote.ts';
import type { Json } from '../support/world.ts';

const REPLIES = 12_000;
const MEMBERS = 300;
/** Minimum number of acknowledged writes during the sweep: fewer would mean that writes wait for the sweep. */
const MIN_ACKNOWLEDGED = 40;
/** The longest time that the sweep may take on a busy machine. */
const SWEEP_WAIT_MS = 90_000;

const stage = new Stage();
after(() => stage.close());

/** Counts a thread's replies that are still in a folder's database. */
const left = (folder: string, threadId: string): Promise<number> =>
  countIn(stage, folder, `message where "threadId" = '${threadId}'`);

/** Writes messages until stopped; stopping returns the number of acknowledged messages. */
function writing(server: Running, key: string, channelId: string): () => Promise<number> {
  let isOver = false;
  const written = (async () => {
    let count = 0;
    for (; !isOver; count++) await post(server, key, '/messages', { channelId, content: `message ${count}` });
    return count;
  })();
  return () => {
    isOver = true;
    return written;
  };
}

async function post(server: Running, key: string, path: string, body: object): Promise<Json> {
  const answer = await call(server, 'POST', `/api/v1${path}`, { key, body });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

test('a long thread is swept while others write, even after a kill midway', async () => {
  const folder = stage.folder();
  let server = await stage.start(folder);
  const { key, channelId } = server;
  const other = await post(server, key, '/channels', { name: 'other' });
  const thread = await post(server, key, '/threads', { channelId });
  const data = await openData(await stage.place(folder));
  await addReplies({ data }, thread, REPLIES);
  await data.db.close();

  const deleted = await call(server, 'DELETE', `/api/v1/threads/${thread.id}`, { key });
  assert.equal(deleted.status, 200, deleted.text);
  const stop = writing(server, key, other.id);
  await until(async () => (await left(folder, thread.id)) < REPLIES / 2, SWEEP_WAIT_MS, 5);
  const acknowledged = await stop();
  await server.end('SIGKILL');
  const rest = await left(folder, thread.id);
  assert.ok(rest > 0, 'it was killed in the middle');
  assert.ok(
    acknowledged >= MIN_ACKNOWLEDGED,
    `only ${acknowledged} writes were acknowledged in the meantime`,
  );

  server = await stage.start(folder);
  assert.deepEqual(await listOf(server, key, `/api/v1/channels/${channelId}/messages`), []);
  await until(async () => (await left(folder, thread.id)) === 0, SWEEP_WAIT_MS, 100);
  assert.deepEqual(await listOf(server, key, `/api/v1/channels/${channelId}/messages`), []);
  const { length } = await listOf(server, key, `/api/v1/channels/${other.id}/messages`);
  assert.equal(length, acknowledged, 'and every acknowledged message exists');
  assert.equal(await server.end(), 0);
});

test('a deleted server is swept while others write, even after a kill midway', async () => {
  const folder = stage.folder();
  let server = await stage.start(folder);
  const { key, channelId } = server;
  const token = /link_plv_\w+/.exec(server.output())?.[0];
  let cookie = '';
  const person = async (
    path: string,
    body: object,
    place = 'none',
    prefix = '/api/people',
  ): Promise<Json> => {
    const headers = { 'palaver-server': place, cookie };
    const answer = await call(server, 'POST', prefix + path, { headers, body });
    assert.equal(answer.status, 200, answer.text);
    cookie ||= (answer.headers.get('set-cookie') ?? '').split(';')[0] as string;
    return answer.body.data;
  };
  await person('/links/claim', { token, password: 'a horse that nobody rides' });
  const { id } = await person('/servers', { name: 'Short' });
  const channel = await person('/channels', { name: 'general' }, id, '/api/v1');
  const thread = await person('/threads', { channelId: channel.id }, id, '/api/v1');
  const data = await openData(await stage.place(folder));
  await addReplies({ data }, thread, REPLIES);
  let made = 0;
  await addMembers({ data, unique: (stem = 'name') => `${stem}-${++made}` }, id, MEMBERS);
  await data.db.close();

  await person(`/servers/${id}/delete`, { name: 'Short' }, id);
  const stop = writing(server, key, channelId);
  await until(async () => (await left(folder, thread.id)) < REPLIES / 2, SWEEP_WAIT_MS, 5);
  const acknowledged = await stop();
  await server.end('SIGKILL');
  assert.ok((await left(folder, thread.id)) > 0, 'it was killed in the middle');
  assert.ok(
    acknowledged >= MIN_ACKNOWLEDGED,
    `only ${acknowledged} writes were acknowledged in the meantime`,
  );

  server = await stage.start(folder);
  const there = await call(server, 'GET', `/api/v1/servers/${id}`, { key });
  assert.equal(there.status, 404, there.text);
  await until(
    async () => (await countIn(stage, folder, `server where id = '${id}'`)) === 0,
    SWEEP_WAIT_MS,
    100,
  );
  for (const table of ['message', 'thread', 'channel', '"serverMember"', 'role', '"userRole"'])
    assert.equal(await countIn(stage, folder, `${table} where "serverId" = '${id}'`), 0, table);
  assert.equal(await countIn(stage, folder, `event where "logId" = '${id}'`), 0);
  assert.equal(
    await countIn(stage, folder, "event where type = 'server.deleted'"),
    MEMBERS + 1,
    'each member gets one event',
  );
  const { length } = await listOf(server, key, `/api/v1/channels/${channelId}/messages`);
  assert.equal(length, acknowledged, 'and every acknowledged message exists');
  assert.equal(await server.end(), 0);
});
