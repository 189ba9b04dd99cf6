import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { UNNOTICED_MS } from '../support/databases.ts';
import { call, type Running, Stage, until } from '../support/process.ts';
import { assertFailed, jsonOf } from '../support/remote.ts';
import type { Json } from '../support/world.ts';

const stage = new Stage();
let folder: string;
let server: Running;
let serverId: string;
let user: Json;
before(async () => {
  folder = stage.folder();
  server = await stage.start(folder);
  serverId = (await json('server', 'list'))[0].id;
  user = await json('user', 'create', '--username', 'holder');
});
after(() => stage.close());

const palaver = (...args: string[]) => stage.run([...args, '--data', folder]);
const json = async (...args: string[]): Promise<Json> => jsonOf(await palaver(...args, '--json'));
const create = (...args: string[]) => ['key', 'create', '--server', serverId, '--user', user.id, ...args];
const use = (key: string) => call(server, 'GET', '/api/v1/servers', { key });
const roleOf = async ({ roleId }: Json): Promise<Json> =>
  (await call(server, 'GET', `/api/v1/roles/${roleId}`, { key: server.key })).body.data;
const flagsOf = (role: Json): string[] =>
  Object.keys(role)
    .filter((name) => name.startsWith('can') && role[name] === true)
    .sort();

test('key create prints the key once, and it works immediately', async () => {
  const secret = await json(...create('--name', 'Script'));
  assert.match(secret.key, /^sk_live_plv_[0-9A-Za-z]{33,}$/);
  assert.equal(secret.name, 'Script');
  assert.equal(secret.userId, user.id);
  assert.equal(secret.serverId, serverId);
  assert.equal(secret.kind, 'apiKey');
  assert.equal(secret.expiresAt, null);
  assert.equal((await roleOf(secret)).isDefault, true);
  assert.equal((await use(secret.key)).status, 200);
  const listed = await palaver('key', 'list', '--json');
  assert.ok(!listed.stdout.includes(secret.key));
  const { key: _key, ...rest } = secret;
  const own = jsonOf(listed).find(({ id }: Json) => id === secret.id);
  assert.deepEqual({ ...own, lastUsedAt: null }, rest);
  const printed = await palaver(...create());
  assert.match(printed.stdout, /^key: sk_live_plv_\w+$/m);
  assert.equal(printed.code, 0);
});

test("a key's user becomes a member of its server", async () => {
  const outsider = await json('user', 'create', '--username', 'outsider');
  const secret = await json('key', 'create', '--server', serverId, '--user', outsider.id);
  const { body } = await call(server, 'GET', `/api/v1/servers/${serverId}/members?q=outsider`, {
    key: secret.key,
  });
  assert.deepEqual(
    body.data.map(({ userId }: Json) => userId),
    [outsider.id],
  );
});

test('--flags finds or creates a role with exactly these flags', async () => {
  const one = await json(...create('--flags', 'canModerate,canViewData'));
  assert.deepEqual(flagsOf(await roleOf(one)), ['canModerate', 'canViewData']);
  const same = await json(...create('--flags', 'canViewData, canModerate,canModerate'));
  assert.equal(same.roleId, one.roleId);
  const fewer = await json(...create('--flags', 'canModerate'));
  assert.notEqual(fewer.roleId, one.roleId);
  assert.deepEqual(flagsOf(await roleOf(fewer)), ['canModerate']);
  const usual = await json(...create('--flags', 'canEditData,canViewData'));
  assert.equal((await roleOf(usual)).isDefault, true);
  const none = await json(...create('--flags', ''));
  assert.deepEqual(flagsOf(await roleOf(none)), []);
  const sent = await call(server, 'POST', '/api/v1/messages', {
    key: none.key,
    body: { channelId: server.channelId, content: 'may I?' },
  });
  assert.equal(sent.status, 403);
  assertFailed(await palaver(...create('--flags', 'canFly')), /unknown flag canFly/);
});

test('--role gives the key that role, which must belong to the server', async () => {
  const [{ roleId }] = await json('key', 'list');
  assert.equal((await json(...create('--role', roleId))).roleId, roleId);
  assertFailed(await palaver(...create('--role', roleId, '--flags', 'canModerate')), /not both/);
  assertFailed(await palaver(...create('--role', 'none')), /role not found/);
  const other = await json('server', 'create', '--name', 'Other', '--owner', user.id);
  assertFailed(
    await palaver('key', 'create', '--server', other.id, '--user', user.id, '--role', roleId),
    /another server/,
  );
});

test('with --expires-in, the key works until that time', async () => {
  const day = 86_400_000;
  for (const [given, ms] of [
    ['90d', 90 * day],
    ['12h', day / 2],
    ['30m', 1_800_000],
    ['2w', 14 * day],
  ] as const) {
    const { createdAt, expiresAt } = await json(...create('--expires-in', given));
    assert.ok(Math.abs(expiresAt - createdAt - ms) < 1_000, given);
  }
  const soon = await json(...create('--expires-in', '2s'));
  assert.equal((await use(soon.key)).status, 200);
  await until(async () => Date.now() > soon.expiresAt + 10, 5_000);
  const late = await use(soon.key);
  assert.equal(late.status, 401);
  assert.equal(late.body.error.code, 'INVALID_API_KEY');
  for (const given of ['soon', '0d', '-1d', '1.5h', '90', ''])
    assertFailed(await palaver(...create(`--expires-in=${given}`)), /--expires-in must be/);
});

test('after key revoke, the running server rejects the key', async () => {
  const secret = await json(...create());
  assert.equal((await use(secret.key)).status, 200);
  const revoked = await json('key', 'revoke', secret.id);
  await sleep(UNNOTICED_MS);
  const refused = await use(secret.key);
  assert.equal(refused.status, 401);
  assert.equal(refused.body.error.code, 'INVALID_API_KEY');
  assert.equal(revoked.id, secret.id);
  assert.equal(revoked.key, undefined);
  assert.ok(!(await json('key', 'list')).some(({ id }: Json) => id === secret.id));
  assertFailed(await palaver('key', 'revoke', secret.id, '--json'), /key not found/);
  assertFailed(await palaver('key', 'revoke', 'none'), /key not found/);
  const other = await json(...create());
  const printed = await palaver('key', 'revoke', other.id);
  await sleep(UNNOTICED_MS);
  assert.match(printed.stdout, new RegExp(`^id: ${other.id}$`, 'm'));
  assert.equal((await use(other.key)).status, 401);
});

test("key list --server lists one server's keys", async () => {
  const other = await json('server', 'create', '--name', 'Third', '--owner', user.id);
  const { id } = await json('key', 'create', '--server', other.id, '--user', user.id);
  assert.deepEqual(
    (await json('key', 'list', '--server', other.id)).map((secret: Json) => secret.id),
    [id],
  );
});

test('invalid options for `key create` are reported in one line', async () => {
  assertFailed(await palaver('key', 'create', '--server', 'none', '--user', user.id), /server not found/);
  assertFailed(await palaver('key', 'create', '--server', serverId, '--user', 'none'), /user not found/);
  assertFailed(await palaver('key', 'create', '--server', serverId), /--user/);
  assertFailed(await palaver(...create('--name', ' ')), /name/);
});

test('key rotate prints a new value; the previous one works during the overlap, and key list shows both', async () => {
  const old = await json(...create());
  const made = await json('key', 'rotate', old.id, '--overlap', '1h');
  assert.notEqual(made.key, old.key);
  assert.equal(made.earlier.preview, old.preview);
  assert.deepEqual([(await use(old.key)).status, (await use(made.key)).status], [200, 200]);
  const listed = (await json('key', 'list')).find(({ id }: Json) => id === old.id);
  assert.deepEqual([listed.preview, listed.earlier], [made.preview, made.earlier]);
  const last = await json('key', 'rotate', old.id, '--overlap', '0', '--expires-in', '1d');
  assert.equal('earlier' in last, false);
  await sleep(UNNOTICED_MS);
  assert.deepEqual([(await use(old.key)).status, (await use(made.key)).status], [401, 401]);
  assertFailed(await palaver('key', 'rotate', old.id, '--overlap', '31d'), /--overlap must be at most 30d/);
  assertFailed(await palaver('key', 'rotate', old.id, '--overlap', 'soon'), /--overlap must be a number/);
  assertFailed(await palaver('key', 'rotate', 'nothing'), /not found|no key/i);
});

test("PALAVER_MAX_KEY_DAYS caps a key's expiry", async () => {
  const from = Date.now();
  const days = { PALAVER_MAX_KEY_DAYS: '7' };
  const made = jsonOf(await stage.run([...create(), '--data', folder, '--json'], days));
  assert.ok(made.expiresAt >= from + 7 * 86_400_000 && made.expiresAt <= Date.now() + 7 * 86_400_000);
});
