import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { StorageError } from '../../server/src/db/contract.ts';
import { SetAside } from '../../server/src/resources/flow/engine/setAside.ts';

const fail = (error: Error) => () => Promise.reject(error);

test('a flow that fails is retried with backoff, and logged once until it succeeds', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const lines: string[] = [];
  const again: string[] = [];
  const log = pino({}, { write: (line) => lines.push(JSON.parse(line).flowId) });
  const deps = { randomBytes: (size: number) => new Uint8Array(size) };
  const aside = new SetAside(log, deps, (id) => again.push(id));
  await aside.attempt('a', fail(new TypeError('one')));
  t.mock.timers.tick(4_999);
  assert.deepEqual(again, []);
  t.mock.timers.tick(1);
  assert.deepEqual(again, ['a']);
  await aside.attempt('a', fail(new TypeError('two')));
  t.mock.timers.tick(9_999);
  assert.deepEqual([again, lines], [['a'], ['a']]);
  t.mock.timers.tick(1);
  assert.deepEqual(again, ['a', 'a']);
  await aside.attempt('a', async () => {});
  await aside.attempt('a', fail(new TypeError('three')));
  t.mock.timers.tick(5_000);
  assert.deepEqual(
    [again, lines],
    [
      ['a', 'a', 'a'],
      ['a', 'a'],
    ],
  );
  await assert.rejects(aside.attempt('b', fail(new StorageError('full'))), StorageError);
  await aside.attempt('b', fail(new TypeError('four')));
  aside.stop();
  t.mock.timers.tick(60 * 60_000);
  assert.deepEqual([again.length, lines], [3, ['a', 'a', 'b']]);
});
