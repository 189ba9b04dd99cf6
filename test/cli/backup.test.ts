// @run sqlite: copies the data file
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { rowsIn, secretsIn } from '../support/backups.ts';
import { call, type Running, Stage } from '../support/process.ts';
import { assertFailed, jsonOf, listOf } from '../support/remote.ts';

const SECRET = 'the secret of an app';

const stage = new Stage();
let folder: string;
let server: Running;
let key: string;
let channelId: string;
before(async () => {
  folder = stage.folder();
  server = await stage.start(folder);
  ({ key, channelId } = server);
  const app = await post('/api/v1/apps', { name: 'Weather' });
  await post('/api/v1/secrets', { kind: 'appSecret', name: 'Token', appId: app.id, value: SECRET });
});
after(() => stage.close());

async function post(path: string, body: object) {
  const answer = await call(server, 'POST', path, { key, body });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

const backUp = (file: string, ...more: string[]) => stage.run(['backup', file, '--data', folder, ...more]);
const restore = (file: string, into: string, ...more: string[]) =>
  stage.run(['restore', file, '--data', into, ...more]);
const change = async (method: string, id: string, body?: object) => {
  const answer = await call(server, method, `/api/v1/messages/${id}`, { key, ...(body && { body }) });
  assert.equal(answer.status, 200, answer.text);
};
const messagesOf = (running: Running) => listOf(running, key, `/api/v1/channels/${channelId}/messages`);

test('a backup taken while messages are sent is consistent, and contains all messages acknowledged before it', async () => {
  const file = join(stage.folder(), 'backup.db');
  const acknowledged: string[] = [];
  let stopped = false;
  const senders = Array.from({ length: 8 }, async () => {
    while (!stopped) {
      const { id } = await post('/api/v1/messages', {
        channelId,
        content: 'while it is copied',
      });
      acknowledged.push(id);
    }
  });
  while (acknowledged.length < 50) await new Promise((resolve) => setTimeout(resolve, 10));
  const before = [...acknowledged];
  const made = jsonOf(await backUp(file, '--json'));
  const during = acknowledged.length - before.length;
  stopped = true;
  await Promise.all(senders);
  assert.deepEqual(made, { file, bytes: statSync(file).size, files: 0 });
  assert.equal(statSync(file).mode & 0o077, 0, 'only the owner can read the backup');
  assert.ok(during > 0, 'messages were sent during the backup');
  assert.deepEqual(readdirSync(join(file, '..')), ['backup.db'], 'no other file is left behind');

  const target = join(stage.folder(), 'restored');
  assert.deepEqual(jsonOf(await restore(file, target, '--json')), { data: target });
  assert.equal(jsonOf(await stage.run(['doctor', '--data', target, '--json'])).ok, true);
  const restored = await stage.start(target);
  const kept = new Set((await messagesOf(restored)).map(({ id }) => id));
  for (const id of before) assert.ok(kept.has(id), `${id} was acknowledged before the backup`);
  for (const id of kept) assert.ok(acknowledged.includes(id), `${id} was never sent`);
  assert.equal(restored.output().includes('sk_live_'), false);
  assert.equal(await restored.end(), 0);
});

test('the restored data equals the backed-up data, and the app secrets can be decrypted', async () => {
  assert.equal(await server.end(), 0);
  const file = join(stage.folder(), 'backup.db');
  assert.equal((await backUp(file)).code, 0);
  const target = stage.folder();
  const printed = await restore(file, target);
  assert.equal(printed.code, 0);
  assert.match(printed.stdout, new RegExp(`^data: ${target}$`, 'm'));
  assert.deepEqual(rowsIn(target), rowsIn(folder));
  assert.deepEqual(secretsIn(target), [SECRET]);
  assert.ok(!readFileSync(file).includes(SECRET), 'the backup does not contain the secret in plain text');
  assert.equal(statSync(join(target, 'secret.key')).mode & 0o077, 0);
  assert.equal(
    statSync(join(target, 'palaver.db')).mode & 0o077,
    0,
    'only the owner can read the restored data',
  );
  server = await stage.start(folder);
});

test('a folder that contains data is not overwritten without --force', async () => {
  const file = join(stage.folder(), 'backup.db');
  assert.equal((await backUp(file)).code, 0);
  const target = stage.folder();
  assert.equal(await (await stage.start(target)).end(), 0);
  const before = rowsIn(target);
  assertFailed(await restore(file, target, '--json'), /already has data.*--force/);
  assert.deepEqual(rowsIn(target), before);
  assert.equal(jsonOf(await restore(file, target, '--force', '--json')).data, target);
  assert.deepEqual(secretsIn(target), [SECRET]);
  const restored = await stage.start(target);
  assert.equal((await call(restored, 'GET', '/api/v1/servers', { key })).status, 200);
  assert.equal(await restored.end(), 0);
});

test('a restore refuses to run while a server runs on the folder, and replaces the data once it has stopped', async () => {
  const file = join(stage.folder(), 'backup.db');
  const content = 'before the backup';
  const sent = await post('/api/v1/messages', { channelId, content });
  const { serverId, creatorId } = sent;
  const create = ['key', 'create', '--server', serverId, '--user', creatorId, '--data', folder, '--json'];
  const revokedLater = jsonOf(await stage.run(create));
  assert.equal((await backUp(file)).code, 0);
  const lost = await post('/api/v1/messages', { channelId, content: 'after the backup' });
  assert.equal((await stage.run(['key', 'revoke', revokedLater.id, '--data', folder])).code, 0);
  assert.equal((await call(server, 'GET', '/api/v1/servers', { key: revokedLater.key })).status, 401);

  const statusOf = async ({ id }: { id: string }) =>
    (await call(server, 'GET', `/api/v1/messages/${id}`, { key })).status;
  assertFailed(
    await restore(file, folder, '--force'),
    new RegExp(`^another process has ${folder} open: stop the server that uses it\n`),
  );
  assert.equal(await statusOf(lost), 200, 'nothing was replaced');
  await post('/api/v1/messages', { channelId, content: 'the server goes on' });

  assert.equal(await server.end(), 0);
  assert.equal((await restore(file, folder, '--force')).code, 0);
  server = await stage.start(folder);
  assert.equal(await statusOf(sent), 200);
  assert.equal(await statusOf(lost), 404);
  assert.equal((await call(server, 'GET', '/api/v1/servers', { key: revokedLater.key })).status, 200);
  await post('/api/v1/messages', { channelId, content: 'after the restore' });
});

test('damaged data can be replaced', async () => {
  const file = join(stage.folder(), 'backup.db');
  assert.equal((await backUp(file)).code, 0);
  const target = stage.folder();
  writeFileSync(join(target, 'palaver.db'), 'no database'.repeat(1_000));
  const { code, stderr } = await restore(file, target, '--force');
  assert.deepEqual([code, stderr], [0, '']);
  assert.deepEqual(secretsIn(target), [SECRET]);
});

test('a key from the environment is not in the backup', async () => {
  const environment = { PALAVER_SECRET_KEY: Buffer.alloc(32, 7).toString('base64url') };
  const own = stage.folder();
  assert.equal(await (await stage.start(own, { environment })).end(), 0);
  const file = join(stage.folder(), 'backup.db');
  assert.equal((await stage.run(['backup', file, '--data', own], environment)).code, 0);
  assert.ok(!readFileSync(file).includes(environment.PALAVER_SECRET_KEY));
  const target = stage.folder();
  assert.equal((await stage.run(['restore', file, '--data', target], environment)).code, 0);
  assert.deepEqual(
    readdirSync(target).filter((name) => name === 'secret.key'),
    [],
  );
});

test('a file that is not a backup is rejected, and nothing is created from it', async () => {
  const file = join(stage.folder(), 'file');
  writeFileSync(file, 'this is no backup at all'.repeat(500));
  const target = join(stage.folder(), 'target');
  assertFailed(await restore(file, target), /damaged or is not a database|not a Palaver backup/);
  assertFailed(await restore(`${file}.none`, target), /does not exist/);
  assertFailed(await stage.run(['restore', '--data', target]), /file/);
  assertFailed(await backUp(join(file, 'within')), /ENOTDIR|EEXIST|not a directory/i);
  assertFailed(await stage.run(['backup', `${file}.db`, '--data', join(target, 'none')]), /no data in/);
  assertFailed(await backUp('/dev/full/backup'), /ENOTDIR|not a directory|EEXIST/i);
  assert.deepEqual(readdirSync(join(target, '..')), []);
});

test('a backup contains no text that was deleted or edited away before it', async () => {
  const [gone, edited, kept] = ['zanzibarplum', 'quokkamelon', 'walruscherry'];
  const ids: string[] = [];
  for (const content of [gone, edited, kept])
    ids.push((await post('/api/v1/messages', { channelId, content })).id);
  await change('DELETE', ids[0] as string);
  await change('PATCH', ids[1] as string, { content: 'something else' });
  await change('DELETE', ids[1] as string);
  const file = join(stage.folder(), 'backup.db');
  jsonOf(await backUp(file, '--json'));
  const bytes = readFileSync(file);
  assert.deepEqual(
    [gone, edited, kept].map((word) => bytes.includes(word as string)),
    [false, false, true],
  );
});
