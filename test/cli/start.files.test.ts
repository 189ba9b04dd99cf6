// @run sqlite, measured: looks at the data folder; some lines run only in a separate server process
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { call, gone, Stage, until } from '../support/process.ts';

const stage = new Stage();
after(() => stage.close());

test('the first run creates a data folder that only its owner can access', async () => {
  const folder = join(stage.folder(), 'some', 'new', 'folder');
  const server = await stage.start(folder);
  assert.equal(statSync(folder).mode & 0o777, 0o700);
  for (const file of ['palaver.db', 'palaver.lock', 'secret.key'])
    assert.equal(statSync(join(folder, file)).mode & 0o077, 0, `${file} is readable by its owner only`);
  assert.equal(await server.end(), 0);
  const failing = await stage.spawn(['user', 'list', '--data', join(folder, 'palaver.db')]);
  assert.equal(await gone(failing), 1);
});

test('a second process on a data folder is refused, unless it was started with --beside', async () => {
  const folder = stage.folder();
  const first = await stage.start(folder);
  const { code, stderr, stdout } = await stage.run(['start', '--data', folder, '--port', '0']);
  assert.equal(code, 1);
  const line = `another process already serves ${folder}: stop it first, or pass another folder with --data\n`;
  assert.deepEqual([stdout, stderr], ['', line]);
  assert.equal((await call(first, 'GET', '/readyz')).status, 200);

  const warning = `another process also serves ${folder}:`;
  const second = await stage.start(folder, { args: ['--beside'] });
  await until(() => second.log().includes(warning));
  assert.equal(second.log().split(warning).length, 2, 'the error is a single line');
  assert.equal((await call(second, 'GET', '/api/v1/servers', { key: first.key })).status, 200);
  assert.equal(await second.end(), 0);
  assert.equal(await first.end('SIGKILL'), null);
  const alone = await stage.start(folder);
  assert.equal((await call(alone, 'GET', '/api/v1/servers', { key: first.key })).status, 200);
  assert.equal(await alone.end(), 0);
  for (const { log } of [first, alone]) assert.ok(!log().includes(warning), log());
});

test('only one of two processes that start at the same time on a data folder serves', async () => {
  const folder = stage.folder();
  await (await stage.start(folder)).end();
  const children = await Promise.all(
    [1, 2].map(() => stage.spawn(['start', '--data', folder, '--port', '0'])),
  );
  const started = await Promise.allSettled(children.map((child) => stage.listening(child)));
  const reasons = started.map((one) => (one.status === 'rejected' ? String(one.reason) : ''));
  assert.deepEqual(started.map(({ status }) => status).sort(), ['fulfilled', 'rejected'], reasons.join());
});
