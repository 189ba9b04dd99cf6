import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { call, type Running, Stage } from '../support/process.ts';
import { assertFailed, jsonOf } from '../support/remote.ts';
import type { Json } from '../support/world.ts';

const stage = new Stage();
let folder: string;
let server: Running;
let serverId: string;
before(async () => {
  folder = stage.folder();
  server = await stage.start(folder);
  serverId = (await get('/users/me')).server.id;
});
after(() => stage.close());

const key = () => server.key;
const channelId = () => server.channelId;
const get = async (path: string): Promise<Json> =>
  (await call(server, 'GET', `/api/v1${path}`, { key: key() })).body.data;
const hold = (...args: string[]) => stage.run(['hold', ...args, '--data', folder]);
const json = async (...args: string[]): Promise<Json> => jsonOf(await hold(...args, '--json'));

test('a hold is created, listed, shows what it keeps, and ends; each command exits with 0', async () => {
  const made = await json('create', '--server', serverId, '--reason', ' Case 4711 ', '--until', '2099-01-31');
  assert.deepEqual(
    [made.serverId, made.reason, made.userId, made.channelId, made.until, made.endedAt],
    [serverId, 'Case 4711', null, null, Date.UTC(2099, 0, 31), null],
  );
  const other = await json('create', '--server', serverId, '--reason', 'B', '--channel', channelId());
  assert.deepEqual([other.channelId, other.until], [channelId(), null]);
  assert.deepEqual(
    (await json('list')).map(({ id }: Json) => id),
    [made.id, other.id],
  );
  const body = { channelId: channelId(), content: 'Evidence' };
  const { id } = (await call(server, 'POST', '/api/v1/messages', { key: key(), body })).body.data;
  assert.equal((await call(server, 'DELETE', `/api/v1/messages/${id}`, { key: key() })).status, 200);
  const kept = await json('messages', made.id);
  assert.deepEqual(
    kept.map(({ id, content }: Json) => [id, content]),
    [[id, 'Evidence']],
  );
  const { endedAt } = await json('end', made.id);
  assert.ok(endedAt >= made.createdAt);
  assert.equal((await json('end', made.id)).endedAt, endedAt, 'ending it again changes nothing');
  const entries: Json[] = jsonOf(await stage.run(['audit', '--json', '--data', folder]));
  const audited = new Set(entries.map(({ command }) => command));
  for (const command of ['hold create', 'hold read', 'hold end']) assert.ok(audited.has(command), command);
});

test('a rejected command exits with 1, says why, and changes nothing', async () => {
  const before = await json('list');
  const create = (...args: string[]) => hold('create', '--server', serverId, ...args);
  assertFailed(await hold('create', '--reason', 'A'), /--server/);
  assertFailed(await create(), /--reason/);
  assertFailed(await create('--reason', ' '), /--reason must have 1 to 1000 characters/);
  for (const until of ['soon', '2027-13-01', '2027-01-31 12:00', '1'])
    assertFailed(await create('--reason', 'A', '--until', until), /--until must be a date/);
  assertFailed(await create('--reason', 'A', '--until', '2001-01-01'), /until: must be in the future/);
  assertFailed(await create('--reason', 'A', '--user', serverId), /user/);
  assertFailed(await create('--reason', 'A', '--channel', serverId), /channel/);
  assertFailed(await hold('create', '--server', channelId(), '--reason', 'A'), /server/);
  for (const name of ['end', 'messages']) {
    assertFailed(await hold(name, serverId), /hold/);
    assertFailed(await hold(name, 'none'), /hold/);
    assertFailed(await hold(name), /id/);
  }
  assert.deepEqual(await json('list'), before);
});
