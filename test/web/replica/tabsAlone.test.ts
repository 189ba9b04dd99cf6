import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { tabsStage } from '../../support/tabsStage.ts';

test('without locks or a channel, a tab streams while it is visible, and for 30 s longer', async () => {
  for (const options of [{ isLocked: false }, { hasPort: false }]) {
    const { started, clock, kinds } = tabsStage();
    const tab = await started('a', options);
    assert.deepEqual([tab.took(), tab.tabs.isLeading], [['lead'], true]);
    tab.show(false);
    await clock.pass(29_999);
    tab.show(true);
    await clock.pass(60_000);
    assert.deepEqual(tab.took(), []);
    tab.show(false);
    await clock.pass(29_999);
    tab.show(false);
    await clock.pass(29_999);
    assert.deepEqual(tab.took(), []);
    await clock.pass(1);
    assert.deepEqual([tab.took(), tab.tabs.isLeading], [['follow'], false]);
    tab.show(true);
    tab.show(true);
    assert.deepEqual([tab.took(), tab.tabs.isLeading], [['lead'], true]);
    tab.show(false);
    tab.tabs.stop();
    assert.deepEqual([clock.delays, kinds()], [[], []]);
  }
});

test('a tab that opens hidden and without locks streams once it is shown', async () => {
  const { open, clock } = tabsStage();
  const tab = open('a', { isLocked: false });
  tab.state.isShown = false;
  tab.tabs.start();
  assert.deepEqual(tab.log, []);
  tab.show(true);
  await clock.pass(60_000);
  assert.deepEqual(tab.log, ['lead']);
});

test('a tab whose locks are refused streams alone and no longer listens to others', async () => {
  const { started, clock, kinds, locks } = tabsStage();
  let requests = 0;
  locks.request = async () => {
    requests++;
    throw new DOMException('no locks for this page', 'SecurityError');
  };
  const tab = await started('a');
  assert.deepEqual([tab.took(), tab.port.onmessage, clock.delays], [['lead'], null, []]);
  await clock.pass(60_000);
  assert.deepEqual([requests, kinds(), tab.log], [1, [], []]);
  tab.show(false);
  await clock.pass(30_000);
  assert.deepEqual(tab.took(), ['follow']);
});

test('a tab whose request for a lock is refused later streams alone from then on', async () => {
  const { started, clock, locks, kinds } = tabsStage();
  const { promise, reject } = Promise.withResolvers<void>();
  locks.request = () => promise;
  const tab = await started('a');
  assert.deepEqual([kinds(), clock.delays], [['a ask'], [1_000, 30_000]]);
  reject(new DOMException('the page unloads', 'InvalidStateError'));
  await turn();
  assert.deepEqual([tab.took(), clock.delays, tab.port.onmessage], [['lead'], [], null]);
});
