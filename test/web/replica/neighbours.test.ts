import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { Neighbours } from '../../../web/replica/neighbours.ts';
import type { Locks } from '../../../web/replica/tabs.ts';
import { FakeLocks } from '../../support/tabsStage.ts';

test('the other tabs notice when a tab closes, one of them at a time', async () => {
  const locks = new FakeLocks();
  const gone: string[] = [];
  const ended = Promise.withResolvers<void>();
  const tabOf = (id: string) =>
    new Neighbours({
      locks,
      id,
      async gone(other) {
        gone.push(`${id}: ${other}`);
        await ended.promise;
      },
    });
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(tabOf) as [Neighbours, Neighbours, Neighbours, Neighbours];
  for (const tab of [a, b, c, d]) await tab.live();
  for (const tab of [b, c, d]) tab.meet('a');
  await turn();
  assert.deepEqual(gone, []);
  d.stop();
  a.stop();
  await turn();
  assert.deepEqual(gone, ['b: a']);
  ended.resolve();
  await turn();
  assert.deepEqual(gone, ['b: a', 'c: a']);
});

test('a tab that stops before it holds its lock releases it at once', async () => {
  const granted: (() => Promise<void>)[] = [];
  const locks: Locks = {
    async request(_name, _options, run) {
      granted.push(run);
    },
  };
  const tab = new Neighbours({ locks, id: 'a', gone: async () => {} });
  const lives = tab.live();
  tab.stop();
  await granted[0]?.();
  await lives;
  const refused = new Neighbours({
    locks: { request: () => Promise.reject(new Error('refused')) },
    id: 'a',
    gone: async () => {},
  });
  await refused.live();
});
