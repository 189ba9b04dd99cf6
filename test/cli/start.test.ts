// @run measured: some lines run only in a separate server process
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { call, gone, Stage } from '../support/process.ts';
import { assertFailed, jsonOf, listOf } from '../support/remote.ts';
import type { Json } from '../support/world.ts';

const stage = new Stage();
after(() => stage.close());

const shell = promisify(execFile);

test('the first run prints the address, the docs, the key once, and a curl line that works', async () => {
  const folder = stage.folder();
  const server = await stage.start(folder);
  const { url, key } = server;
  assert.match(url, /^http:\/\/localhost:\d+$/, 'where browsers support passkeys');
  assert.ok(server.output().includes(`${url}/docs\n`));
  const keys = [...server.output().matchAll(/^ +(sk_live_plv_\w+)$/gm)].map(([, found]) => found);
  assert.deepEqual(keys, [key]);
  const [curl, ...others] = server.output().match(/^ *curl .+$/gm) ?? [];
  assert.deepEqual(others, []);
  const { stdout } = await shell('sh', ['-c', `${curl} --silent --show-error --fail`]);
  const sent = JSON.parse(stdout);
  assert.equal(sent.ok, true);
  const messages = await listOf(server, key, `/api/v1/channels/${server.channelId}/messages`);
  assert.deepEqual(
    messages.map(({ id, content }) => [id, content]),
    [[sent.data.id, 'Hello, world']],
  );
  assert.ok(!server.log().includes(key));
  assert.equal(await server.end(), 0);
});

test('the first run creates an admin, a server with #general, and its roles', async () => {
  const folder = join(stage.folder(), 'some', 'new', 'folder');
  const server = await stage.start(folder);
  const { key } = server;
  const [admin, ...others] = jsonOf(await stage.run(['user', 'list', '--data', folder, '--json']));
  assert.deepEqual(others, []);
  assert.equal(admin.platformAdmin, true);
  const [home] = await listOf(server, key, '/api/v1/servers');
  assert.equal(home.creatorId, admin.id);
  const channels = await listOf(server, key, `/api/v1/servers/${home.id}/channels`);
  assert.deepEqual(
    channels.map(({ id, name }) => [id, name]),
    [[server.channelId, 'general']],
  );
  const [secret] = jsonOf(await stage.run(['key', 'list', '--data', folder, '--json']));
  assert.equal(secret.userId, admin.id);
  const flagsOf = (role: Json) => Object.keys(role).filter((name) => name.startsWith('can') && role[name]);
  const role = async (id: string) => (await call(server, 'GET', `/api/v1/roles/${id}`, { key })).body.data;
  assert.ok(flagsOf(await role(secret.roleId)).includes('canAdmin'));
  const usual = jsonOf(
    await stage.run(['key', 'create', '--server', home.id, '--user', admin.id, '--data', folder, '--json']),
  );
  const byDefault = await role(usual.roleId);
  assert.equal(byDefault.isDefault, true);
  assert.deepEqual(flagsOf(byDefault).sort(), ['canEditData', 'canViewData']);
  assert.equal(await server.end(), 0);
});

test('later runs only print the address and the docs, and the key still works', async () => {
  const folder = stage.folder();
  const first = await stage.start(folder);
  const { key } = first;
  assert.equal(await first.end(), 0);
  const later = await stage.start(folder);
  const lines = later.output().trimEnd().split('\n');
  assert.deepEqual(lines, [`Palaver is running at ${later.url}`, `Documentation: ${later.url}/docs`]);
  assert.equal((await call(later, 'GET', '/api/v1/servers', { key })).status, 200);
  assert.equal(await later.end(), 0);
});

test('PALAVER_DATA, PALAVER_PORT and PALAVER_HOST work like the flags', async () => {
  const folder = stage.folder();
  const taken = await stage.start(stage.folder());
  const { port } = new URL(taken.url);
  assert.equal(await taken.end(), 0);
  const environment = { PALAVER_DATA: folder, PALAVER_PORT: port, PALAVER_HOST: 'localhost' };
  const server = await stage.listening(await stage.spawn(['start'], environment));
  assert.equal(new URL(server.url).port, port);
  assert.equal((await call(server, 'GET', '/readyz')).status, 200);
  assert.equal(jsonOf(await stage.run(['user', 'list', '--json'], environment)).length, 1);
  assert.equal(await server.end(), 0);
  const flagged = await stage.listening(
    await stage.spawn(['start', '--port', '0', '--host', '127.0.0.1', '--data', folder], {
      ...environment,
      PALAVER_DATA: join(folder, 'nowhere'),
      PALAVER_HOST: 'no.such.host.invalid',
    }),
  );
  assert.equal(new URL(flagged.url).hostname, 'localhost', '127.0.0.1 is printed for it');
  assert.equal(await flagged.end(), 0);
});

test("PALAVER_LIMITS sets limits; without it, or with an empty value, the table's limits apply", async () => {
  const accepted = async (limits: string, tries: number) => {
    const server = await stage.start(stage.folder(), { environment: { PALAVER_LIMITS: limits } });
    const answers: number[] = [];
    for (let number = 0; number < tries; number++) {
      const body = { channelId: server.channelId, content: `message ${number}` };
      answers.push((await call(server, 'POST', '/api/v1/messages', { key: server.key, body })).status);
    }
    assert.equal(await server.end(), 0);
    return { passed: answers.filter((status) => status === 200).length, last: answers.at(-1) };
  };
  assert.deepEqual(await accepted('{"message":3}', 5), { passed: 3, last: 429 });
  assert.deepEqual(await accepted('{"message":0,"*":1}', 40), { passed: 40, last: 200 });
  assert.deepEqual(await accepted('{"*":2}', 3), { passed: 2, last: 429 });
  assert.deepEqual(await accepted('', 31), { passed: 30, last: 429 });
});

test('invalid settings make the start fail with one line', async () => {
  const folder = stage.folder();
  const start = (environment: Record<string, string>) => stage.run(['start', '--data', folder], environment);
  assertFailed(await start({ PALAVER_LIMITS: 'many' }), /PALAVER_LIMITS must be JSON/);
  assertFailed(await start({ PALAVER_LIMITS: '{"mesage":1}' }), /PALAVER_LIMITS has no kind "mesage"/);
  assertFailed(await start({ PALAVER_LIMITS: '{"toString":1}' }), /PALAVER_LIMITS has no kind "toString"/);
  assertFailed(await start({ PALAVER_LIMITS: '{"message":-1}' }), /PALAVER_LIMITS "message" must be/);
  assertFailed(await start({ PALAVER_PORT: 'http' }), /PALAVER_PORT must be/);
  assertFailed(await start({ PALAVER_SECRET_KEY: 'short' }), /PALAVER_SECRET_KEY must be 32 bytes/);
});

test('npx runs the checkout', async () => {
  const root = join(import.meta.dirname, '..', '..');
  const run = await shell('npx', ['palaver', 'config', '--json'], { cwd: root });
  assert.ok(Array.isArray(JSON.parse(run.stdout)));
});

test('under any installed Node, the program runs and exits correctly', async () => {
  const folder = stage.folder();
  const server = await stage.listening(
    await stage.spawn(['start', '--data', folder, '--port', '0'], {}, 'node'),
  );
  assert.equal((await call(server, 'GET', '/readyz')).status, 200);
  assert.equal(await server.end(), 0);
  const failing = await stage.spawn(['key', 'revoke', 'none', '--data', folder], {}, 'node');
  assert.equal(await gone(failing), 1);
});
