import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { ask } from '../support/databases.ts';
import { call, Stage } from '../support/process.ts';
import { assertFailed, jsonOf } from '../support/remote.ts';
import type { Json } from '../support/world.ts';

const stage = new Stage();
after(() => stage.close());

const rotate = (folder: string, environment = {}) =>
  stage.run(['secret', 'rotate', '--data', folder, '--json'], environment);

async function storeSecret(folder: string, environment = {}) {
  const node = await stage.start(folder, { environment });
  const { key } = node;
  const app = (await call(node, 'POST', '/api/v1/apps', { key, body: { name: 'Weather' } })).body.data;
  const body = { kind: 'appSecret', name: 'Token', appId: app.id, value: 'a value that is kept' };
  assert.equal((await call(node, 'POST', '/api/v1/secrets', { key, body })).status, 200);
  return node;
}

test('a key in the database is rotated only while no node serves, since nodes do not read it again', async () => {
  const folder = stage.folder();
  const { database = '' } = await stage.place(folder);
  const node = await storeSecret(folder);
  const keyOf = async () => (await ask(database, `select value from setting where name = 'secretKey'`))[0];
  const former = await keyOf();
  assertFailed(await rotate(folder), /a node is using this database: stop all nodes/);
  assert.deepEqual(await keyOf(), former);
  assert.equal(await node.end(), 0);
  assert.deepEqual(jsonOf(await rotate(folder)), { kept: 'database', values: 1 });
  assert.notDeepEqual(await keyOf(), former);
  const { findings } = JSON.parse((await stage.run(['doctor', '--data', folder, '--json'])).stdout);
  assert.ok(findings.find(({ check }: Json) => check === 'secrets').ok);
});

test('a node that lacks the key for the stored values does not start, and says why', async () => {
  const [one, other] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64url'));
  const folder = stage.folder();
  const node = await storeSecret(folder, { PALAVER_SECRET_KEY: one as string });
  assert.equal(await node.end(), 0);
  const start = (keys: string) =>
    stage.run(['start', '--data', folder, '--port', '0'], { PALAVER_SECRET_KEY: keys });
  assertFailed(await start(other as string), /PALAVER_SECRET_KEY does not contain the key/);
  const both = { PALAVER_SECRET_KEY: `${other},${one}` };
  const next = await stage.start(folder, { environment: both });
  assert.deepEqual(jsonOf(await rotate(folder, both)), { kept: 'PALAVER_SECRET_KEY', values: 1 });
  assert.equal(await next.end(), 0);
  assertFailed(await start(one as string), /PALAVER_SECRET_KEY does not contain the key/);
  assert.equal(
    await (await stage.start(folder, { environment: { PALAVER_SECRET_KEY: other as string } })).end(),
    0,
  );
});
