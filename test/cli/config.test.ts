// @run sqlite: uses no database
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { addressOf, siteOf } from '../../server/src/lib/settings.ts';
import { call, type Environment, Stage } from '../support/process.ts';
import { assertFailed, jsonOf } from '../support/remote.ts';
import type { Json } from '../support/world.ts';

const stage = new Stage();
after(() => stage.close());

/** The settings in the output of `palaver config --json`, by name. */
async function settings(args: string[], environment: Environment = {}): Promise<Record<string, Json>> {
  const rows = jsonOf(await stage.run(['config', '--json', ...args], environment));
  return Object.fromEntries(rows.map((row: Json) => [row.name, row]));
}

function folderWith(settings: unknown): string {
  const folder = stage.folder();
  writeFileSync(join(folder, 'palaver.json'), JSON.stringify(settings));
  return folder;
}

test('an invalid port is rejected with the name of the flag or variable', async () => {
  for (const port of ['web', '', '-1', '65536', '80.5', '0x50', '1e3']) {
    const at = ['start', '--data', stage.folder()];
    const wrong = /^\S+ must be a whole number from 0 to 65535\n/;
    const flagged = await stage.run([...at, '--port', port]);
    assertFailed(flagged, wrong);
    assert.match(flagged.stderr, /^--port /, port);
    if (port === '') continue;
    const set = await stage.run(at, { PALAVER_PORT: port });
    assertFailed(set, wrong);
    assert.match(set.stderr, /^PALAVER_PORT /, port);
  }
});

test('without settings, the defaults apply', async () => {
  const found = await settings(['--data', stage.folder()]);
  for (const [name, value] of Object.entries({ port: 8080, host: '127.0.0.1', logLevel: 'info' })) {
    assert.equal(found[name].value, value);
    assert.equal(found[name].source, 'default');
  }
  assert.equal(found.data.source, 'flag');
  assert.equal(found.data.environment, 'PALAVER_DATA');
  assert.equal(found.limits.value.message, 30);
  for (const { about, environment } of Object.values(found)) {
    assert.ok(about.length > 0);
    assert.match(environment, /^(PALAVER_[A-Z_]+|DATABASE_URL|REDIS_URL)$/);
  }
});

test('a flag wins over the environment, the environment over the file, the file over the default', async () => {
  const folder = folderWith({ port: 1111, host: '0.0.0.0', logLevel: 'warn', limits: { message: 7 } });
  const at = ['--data', folder];
  const byFile = await settings(at);
  assert.deepEqual([byFile.port.value, byFile.port.source], [1111, 'file']);
  assert.deepEqual([byFile.logLevel.value, byFile.logLevel.source], ['warn', 'file']);
  assert.equal(byFile.limits.value.message, 7);
  const environment = { PALAVER_PORT: '2222', PALAVER_LIMITS: '{"message":8}' };
  const byEnvironment = await settings(at, environment);
  assert.deepEqual([byEnvironment.port.value, byEnvironment.port.source], [2222, 'environment']);
  assert.equal(byEnvironment.limits.value.message, 8);
  assert.equal(byEnvironment.host.source, 'file');
  const byFlag = await settings([...at, '--port', '3333'], environment);
  assert.deepEqual([byFlag.port.value, byFlag.port.source], [3333, 'flag']);
  const empty = await settings(at, { PALAVER_PORT: '' });
  assert.deepEqual([empty.port.value, empty.port.source], [1111, 'file']);
});

test('one of several nodes behind a proxy drains unless configured otherwise', async () => {
  const drainOf = async (environment: Environment): Promise<number> =>
    (await settings(['--data', stage.folder()], environment)).drain.value;
  const [REDIS_URL, PALAVER_PROXIES] = ['redis://127.0.0.1:1', '1'];
  assert.equal(await drainOf({ REDIS_URL, PALAVER_PROXIES }), 5);
  assert.equal(await drainOf({ REDIS_URL, PALAVER_PROXIES, PALAVER_DRAIN: '0' }), 0);
  assert.equal(await drainOf({ REDIS_URL }), 0);
  assert.equal(await drainOf({ PALAVER_PROXIES }), 0);
});

test('hosts are names without ports, given as text or a list', async () => {
  const at = ['--data', stage.folder()];
  const given = await settings(at, { PALAVER_HOSTS: 'Chat.Example.com, [::1],127.0.0.1,bücher.example' });
  assert.deepEqual(given.hosts.value, ['chat.example.com', '[::1]', '127.0.0.1', 'xn--bcher-kva.example']);
  const listed = await settings(['--data', folderWith({ hosts: ['chat.example.com.'] })]);
  assert.deepEqual(listed.hosts.value, ['chat.example.com']);
  assert.deepEqual((await settings(at)).hosts.value, []);
  for (const wrong of [
    'chat.example.com:80',
    'http://chat.example.com',
    'a b',
    'user@chat.example.com',
    'a/b',
    '::1',
  ])
    assertFailed(await stage.run(['config', ...at], { PALAVER_HOSTS: wrong }), /PALAVER_HOSTS/);
  assertFailed(await stage.run(['config', '--data', folderWith({ hosts: [1] })]), /"hosts"/);
});

test('the address is a web address whose path, if any, needs no encoding', async () => {
  for (const [given, read] of [
    ['https://Chat.example.com/', 'https://chat.example.com'],
    ['https://example.com/chat', 'https://example.com/chat'],
    ['https://example.com:8443/team/~chat.2/', 'https://example.com:8443/team/~chat.2'],
    ['https://example.com/a/../chat', 'https://example.com/chat'],
  ])
    assert.equal(siteOf(given), read);
  for (const given of [
    'example.com',
    'ftp://example.com',
    'https://example.com/chat?a',
    'https://example.com/#chat',
    'https://ada@example.com/chat',
    'https://example.com//chat',
    'https://example.com/chat//',
    'https://example.com/ch at',
    'https://example.com/chät',
    'https://example.com/%63hat',
    'https://example.com/";-',
    `https://example.com/${'a'.repeat(101)}`,
    5,
  ])
    assert.throws(() => siteOf(given), /must be an address such as/, String(given));
  const wrong = await stage.run(['config', '--data', stage.folder()], {
    PALAVER_ADDRESS: 'https://example.com/?a',
  });
  assertFailed(wrong, /PALAVER_ADDRESS must be an address such as .*https:\/\/example\.com\/chat/);
});

test('the URL of PostgreSQL and Valkey has one host', async () => {
  const read = addressOf('postgres', 'postgresql');
  for (const url of ['', 'postgres://a/b', 'postgresql://ada:a%2Cb@a.example:5432/b?application_name=c,d'])
    assert.equal(read(url), url);
  for (const url of ['postgres://a,b/c', 'postgres://ada:secret@a,b:5432/c'])
    assert.throws(() => read(url), /must be a URL with one host/, url);
  assert.throws(() => read('postgres://a:5432,b:5432/c'), /must be a URL that begins with postgres:/);
});

test('the data folder is ./data unless a flag or the environment names another', async () => {
  const folder = stage.folder();
  assert.deepEqual((await settings([], { PALAVER_DATA: folder })).data.value, folder);
  const other = stage.folder();
  assert.deepEqual((await settings(['--data', other], { PALAVER_DATA: folder })).data.value, other);
  assert.match((await settings([])).data.value, /\/data$/);
});

test('--config and PALAVER_CONFIG name another file', async () => {
  const file = join(folderWith({ port: 4444 }), 'palaver.json');
  const at = ['--data', folderWith({ port: 1111 })];
  assert.equal((await settings([...at, '--config', file])).port.value, 4444);
  assert.equal((await settings(at, { PALAVER_CONFIG: file })).port.value, 4444);
  assertFailed(
    await stage.run(['config', ...at, '--config', `${file}.none`]),
    /^the config file .*none does not exist$/m,
  );
});

test('a secret is never printed, wherever it was set', async () => {
  const secret = randomBytes(32).toString('base64url');
  const environment = { PALAVER_SECRET_KEY: secret };
  const at = ['--data', stage.folder()];
  const inFile = ['--data', folderWith({ secretKey: secret })];
  assert.equal((await settings(at, environment)).secretKey.value, '(set)');
  for (const [args, given] of [
    [at, environment],
    [inFile, {}],
  ] as const) {
    for (const form of [[], ['--json']]) {
      const { code, stdout, stderr } = await stage.run(['config', ...form, ...args], given);
      assert.equal(code, 0);
      assert.ok(!(stdout + stderr).includes(secret));
    }
  }
  const refused = await stage.run(['config', ...at], { PALAVER_SECRET_KEY: `${secret}${secret}` });
  assertFailed(refused, /PALAVER_SECRET_KEY/);
  assert.ok(!refused.stderr.includes(secret));
});

test('platform admins can see the settings of a running node with their sources, without secrets; nobody else can', async () => {
  const secret = randomBytes(32).toString('base64url');
  const folder = folderWith({ agentCeiling: 7 });
  const environment = { PALAVER_SECRET_KEY: secret };
  const server = await stage.start(folder, { args: ['--port', '0'], environment });
  const token = /link_plv_\w+/.exec(server.output())?.[0];
  const body = { token, password: 'a horse that nobody rides' };
  const at = { 'palaver-server': 'none' };
  const claimed = await call(server, 'POST', '/api/people/links/claim', { body, headers: at });
  const cookie = (claimed.headers.get('set-cookie') ?? '').split(';')[0] as string;
  const path = '/api/people/platform/start-settings';
  const { body: shown } = await call(server, 'GET', path, { headers: { ...at, cookie } });
  const found = Object.fromEntries(shown.data.map((one: Json) => [one.name, one]));
  const sourceOf = ({ value, source, canChange }: Json) => [value, source, canChange];
  assert.deepEqual(sourceOf(found.agentCeiling), ['7', 'file', false]);
  assert.deepEqual(sourceOf(found.port), ['0', 'flag', false]);
  assert.deepEqual(sourceOf(found.secretKey), ['"(set)"', 'environment', false]);
  assert.deepEqual(sourceOf(found.signUp), ['"invite"', 'default', true]);
  assert.deepEqual(Object.keys(found), Object.keys(await settings(['--data', folder], environment)));
  assert.ok(!JSON.stringify(shown).includes(secret));
  assert.equal((await call(server, 'GET', path, { headers: at })).status, 401);
  await server.end();
});

test('without --json the command prints each setting with its value, source and description', async () => {
  const { code, stdout } = await stage.run(['config', '--data', stage.folder(), '--port', '1234']);
  assert.equal(code, 0);
  assert.match(stdout, /^port = 1234 {2}\(flag; PALAVER_PORT\)\n {4}\S.+$/m);
  assert.match(stdout, /^host = "127\.0\.0\.1" {2}\(default; PALAVER_HOST\)$/m);
});

test('an invalid config file is reported in one line', async () => {
  for (const [content, line] of [
    ['{', /palaver\.json is not valid JSON/],
    ['[]', /must contain a JSON object/],
    ['{"prot": 1}', /has no setting "prot"/],
    ['{"__proto__": 1, "toString": 2}', /has no setting/],
    ['{"port": "many"}', /"port" in the config file must be a whole number/],
    ['{"logLevel": "loud"}', /"logLevel" in the config file must be one of/],
    ['{"limits": {"message": 1.5}}', /"limits" in the config file "message" must be/],
  ] as const) {
    const folder = stage.folder();
    writeFileSync(join(folder, 'palaver.json'), content);
    for (const command of ['config', 'doctor', 'start'])
      assertFailed(await stage.run([command, '--data', folder]), line);
  }
});
