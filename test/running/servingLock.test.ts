// @run sqlite: locks files of the embedded engine
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { bePresent, servingProcess } from '../../server/src/db/sqlite/presence.ts';
import { schemaVersion } from '../../server/src/db/version.ts';

const folder = mkdtempSync(join(tmpdir(), 'palaver-lock-'));
after(() => rmSync(folder, { recursive: true, force: true }));

test('one process serves a data folder, and the others see which one', () => {
  assert.equal(servingProcess(folder), undefined);
  const first = bePresent(folder);
  assert.equal(first.others, false);
  const holder = { name: `process ${process.pid}`, schema: schemaVersion };
  assert.deepEqual(servingProcess(folder), holder);
  const second = bePresent(folder);
  second.end();
  assert.equal(second.others, true);
  assert.deepEqual(servingProcess(folder), holder, 'the lock of the first one remains');
  first.end();
  assert.equal(servingProcess(folder), undefined);
  const third = bePresent(folder);
  third.end();
  assert.equal(third.others, false);
});

/** A worker that registers itself while another connection holds the lock. */
const waiting = `
  const { parentPort, workerData } = require('node:worker_threads');
  import(workerData.code).then(({ bePresent }) => {
    parentPort.postMessage('begins');
    const presence = bePresent(workerData.folder);
    parentPort.postMessage(presence.others);
    presence.end();
  });
`;

test('a process that waits for the lock does not keep another one from getting it', async () => {
  const other = new DatabaseSync(join(folder, 'palaver.lock'), { timeout: 500 });
  other.exec('begin immediate; pragma user_version = 1');
  const code = import.meta.resolve('../../server/src/db/sqlite/presence.ts');
  const worker = new Worker(waiting, { eval: true, workerData: { folder, code } });
  // The last messages and the exit may arrive in the same turn of the event loop.
  const exit = once(worker, 'exit');
  const messages: unknown[] = [];
  worker.on('message', (message) => messages.push(message));
  await once(worker, 'message');
  // Blocks this thread, but not the worker, until it has tried to get the lock.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
  other.exec('commit');
  other.close();
  await exit;
  assert.deepEqual(messages, ['begins', false], 'there are no others');
});
