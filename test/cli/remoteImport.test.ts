// @run sqlite: sends HTTP requests, which are the same for every engine
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { importRemotely } from '../../server/src/cli/remote/import.ts';
import { Tally } from '../../server/src/imports/report.ts';
import { FakeServer } from '../support/fakeServer.ts';
import { Stage } from '../support/process.ts';

// `palaver import` against a server that loses responses, or is slow.

const stage = new Stage();
after(() => stage.close());

const BYTES = 1_000_000;

/** An archive whose bytes do not matter: no server here reads them. */
function archive(): string {
  const path = join(stage.folder(), 'archive.zip');
  writeFileSync(path, Buffer.alloc(BYTES));
  return path;
}

const answering = (data: unknown) => (response: ServerResponse) =>
  response.end(JSON.stringify({ ok: true, data }));
const lost = (response: ServerResponse) => response.destroy();
const shown = (fields: object) => ({ id: 'the-id', bytes: BYTES, received: BYTES, report: null, ...fields });

test('retries have the same idempotency key, and a retried delete that finds nothing succeeds', async () => {
  const planned = { server: 'the-server' };
  const uploading = shown({ state: 'uploading', received: 0 });
  const fake = new FakeServer(
    answering([]),
    ...[lost, answering(uploading)],
    ...[lost, answering(shown({ state: 'ready' }))],
    ...[lost, answering(shown({ state: 'planned', planned }))],
    lost,
    (response) => {
      response.writeHead(404);
      response.end(JSON.stringify({ ok: false, error: { code: 'NOT_FOUND', message: 'import not found' } }));
    },
  );
  const remote = { url: await fake.listen(), key: 'a-key' };
  const imported = await importRemotely(remote, archive(), {
    from: 'slack',
    server: 'the-server',
    dryRun: true,
  });
  fake.close();
  assert.deepEqual(imported, { report: planned, isAsPlanned: true });
  const keys = fake.asked.map(({ headers }) => headers['idempotency-key']);
  assert.deepEqual([keys.length, keys[0], keys[7], keys[8]], [9, undefined, undefined, undefined]);
  for (const first of [1, 3, 5]) {
    assert.match(String(keys[first]), /^[0-9a-f-]{36}$/);
    assert.equal(keys[first], keys[first + 1]);
  }
  assert.equal(new Set(keys).size, 4);
});

test('a part has a longer timeout than other requests', async (t) => {
  const report = { server: 'the-server' };
  const fake = new FakeServer(
    answering([]),
    answering(shown({ state: 'uploading', received: 0 })),
    (response) => void parts.push(response),
    answering(shown({ state: 'done', report, asPlanned: true })),
  );
  const parts: ServerResponse[] = [];
  const remote = { url: await fake.listen(), key: 'a-key' };
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const imported = importRemotely(remote, archive(), { from: 'slack', server: 'the-server' });
  while (parts.length === 0) await new Promise(setImmediate);
  t.mock.timers.tick(40_000);
  for (const part of parts) answering(shown({ state: 'ready' }))(part);
  assert.deepEqual(await imported, { report, isAsPlanned: true });
  fake.close();
  assert.equal(fake.asked.length, 4);
});

test('an import that differs from its dry run prints its report and exits with 1', async () => {
  const report = new Tally().report('the-server');
  for (const [asPlanned, code] of [
    [true, 0],
    [false, 1],
  ] as const) {
    const fake = new FakeServer(
      answering([]),
      answering(shown({ state: 'ready' })),
      answering(shown({ state: 'done', planned: report, report, asPlanned })),
    );
    const environment = { PALAVER_URL: await fake.listen(), PALAVER_KEY: 'a-key' };
    const args = ['import', archive(), '--from', 'slack', '--server', 'the-server', '--json'];
    const ran = await stage.run(args, environment);
    fake.close();
    assert.equal(ran.code, code, ran.stderr);
    assert.deepEqual(JSON.parse(ran.stdout), report);
    assert.equal(/the import differs from its dry run/.test(ran.stderr), !asPlanned);
  }
});
