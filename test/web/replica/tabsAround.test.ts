import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Status } from '../../../web/replica/types.ts';
import { block, opening, tabsStage } from '../../support/tabsStage.ts';

test('the first tab leads at once, and the next one gets the state and then each block', async () => {
  const { started, kinds, clock } = tabsStage();
  const first = await started('a');
  assert.deepEqual([first.took(), first.tabs.isLeading], [['lead'], true]);
  first.tabs.tell(block('early'));
  assert.deepEqual(kinds(), ['a lead'], 'no blocks while it is the only tab');
  first.tabs.tellStatus('live', null);
  kinds();

  const second = await started('b');
  assert.deepEqual(kinds(), ['b ask', 'a hello', 'a here']);
  assert.deepEqual([second.took(), second.tabs.isLeading], [['opening', 'live'], false]);
  first.tabs.tell(block('one'));
  first.tabs.tellStatus('offline', 5);
  assert.deepEqual(second.took(), ['one', 'offline 5']);
  kinds();
  await clock.pass(10_000);
  assert.deepEqual([kinds(), first.took()], [[], []], 'it has joined, so it does not ask again');
});

test('a new tab asks each second until it has the state, and applies nothing before', async () => {
  const { started, kinds, clock } = tabsStage();
  const first = await started('a');
  first.state.hasOpening = false;
  const second = await started('b');
  assert.deepEqual(second.took(), ['connecting']);
  first.tabs.tell(block('one'));
  assert.deepEqual(second.took(), [], 'without the state before it');
  first.tabs.tell(opening);
  first.tabs.tell(block('two'));
  assert.deepEqual(second.took(), ['opening', 'two']);

  first.state.isFrozen = true;
  kinds();
  const third = await started('c');
  await clock.pass(999);
  assert.deepEqual(kinds(), ['c ask', 'b hello']);
  await clock.pass(1);
  assert.deepEqual(kinds(), ['c ask']);
  [first.state.isFrozen, first.state.hasOpening] = [false, true];
  await clock.pass(1_000);
  assert.deepEqual(kinds(), ['c ask', 'a here']);
  assert.deepEqual(third.took(), ['opening', 'connecting']);
  assert.deepEqual(second.took(), [], 'the state for another tab is not applied');
});

test('a tab that was answered no longer asks, even if the leader has no state yet', async () => {
  const { started, clock, kinds } = tabsStage();
  const first = await started('a');
  [first.state.hasOpening, first.state.isLate] = [false, true];
  const second = await started('b');
  await turn();
  assert.deepEqual([second.took(), clock.delays], [['connecting'], [30_000]]);
  kinds();
  await clock.pass(10_000);
  assert.deepEqual(kinds(), []);
});

test('the leader sends a heartbeat at most every five seconds', async () => {
  const { started, kinds, clock } = tabsStage();
  const { tabs } = await started('a');
  kinds();
  const beats = async (ms: number) => {
    await clock.pass(ms);
    tabs.alive();
    return kinds().length;
  };
  assert.deepEqual([await beats(0), await beats(4_999), await beats(1), await beats(5_000)], [1, 0, 1, 1]);
});

test('a visible tab takes over after 30 s of silence, and the old leader follows it', async () => {
  const { started, clock, locks } = tabsStage();
  const first = await started('a');
  const second = await started('b');
  for (const tab of [first, second]) tab.took();
  await clock.pass(29_000);
  first.tabs.alive();
  await clock.pass(29_999);
  assert.equal(second.tabs.isLeading, false);
  first.state.isFrozen = true;
  second.show(false);
  await clock.pass(1);
  assert.equal(second.tabs.isLeading, false, 'hidden tabs do not');
  second.show(true);
  await clock.pass(29_999);
  assert.equal(second.tabs.isLeading, false);
  await clock.pass(1);
  assert.deepEqual([second.took(), first.took()], [['lead'], ['follow']]);
  assert.deepEqual([first.tabs.isLeading, second.tabs.isLeading], [false, true]);

  first.state.isFrozen = false;
  // The stolen lock is requested again, for when the new leader closes.
  assert.equal(locks.requests, 4);
  second.tabs.tell(opening);
  second.tabs.tell(block('one'));
  assert.deepEqual(first.took(), ['opening', 'one']);
  second.tabs.stop();
  await turn();
  assert.deepEqual([first.took(), first.tabs.isLeading], [['lead'], true]);
});

test('an old leader that is still frozen while another leads is replaced by silence again, not by itself', async () => {
  const { started, clock } = tabsStage();
  const first = await started('a');
  const second = await started('b');
  first.state.isFrozen = true;
  await clock.pass(30_000);
  first.took();
  assert.equal(second.tabs.isLeading, true);
  second.state.isFrozen = true;
  await clock.pass(30_000);
  assert.deepEqual([first.took(), second.tabs.isLeading], [['lead'], false]);
});

test('a tab that is never answered takes over, and gives the lead back to a leader that is silent, too', async () => {
  const { started, clock } = tabsStage();
  const first = await started('a');
  first.state.isFrozen = true;
  const second = await started('b');
  second.state.isFrozen = true;
  await clock.pass(30_000);
  assert.deepEqual([first.tabs.isLeading, second.tabs.isLeading], [false, true]);
  await clock.pass(30_000);
  assert.deepEqual([first.tabs.isLeading, second.tabs.isLeading], [true, false]);
});

test('a tab that succeeds a closed leader keeps the lead', async () => {
  const { started, clock, locks } = tabsStage();
  const first = await started('a');
  const second = await started('b');
  first.tabs.stop();
  await turn();
  second.took();
  await clock.pass(60_000);
  assert.deepEqual([second.tabs.isLeading, second.log, locks.requests, clock.delays], [true, [], 2, []]);
});

test('a leader that learns of another one follows it and ignores messages of earlier ones', async () => {
  const { started, open, said } = tabsStage();
  const first = await started('a');
  const other = open('z');
  first.took();
  other.port.postMessage({ kind: 'status', leader: 'z', from: 'z', status: 'offline', nextAt: null });
  assert.deepEqual(first.took(), [], 'a leader has its own status');
  other.port.postMessage({ kind: 'lead', leader: 'z', from: 'z' });
  assert.deepEqual([first.took(), first.tabs.isLeading], [['follow'], false]);
  const tell = (leader: string, event: string) =>
    other.port.postMessage({ kind: 'block', leader, from: leader, block: block(event) });
  tell('z', 'opening');
  tell('a', 'earlier');
  tell('z', 'later');
  assert.deepEqual(first.took(), ['opening', 'later']);
  // A late response changes nothing that the tab already has.
  other.port.postMessage({ kind: 'here', leader: 'z', from: 'z', to: 'a', opening, status: 'live' });
  other.port.postMessage({ kind: 'here', leader: 'y', from: 'y', to: 'b', opening, status: 'live' });
  assert.deepEqual(first.took(), ['live']);
  assert.ok(said.length > 0);
});

test('each tab learns of all others, and says hello once', async () => {
  const { started, kinds } = tabsStage();
  await started('a');
  await started('b');
  kinds();
  await started('c');
  assert.deepEqual(kinds(), ['c ask', 'a hello', 'a here', 'b hello']);
});

test('a tab applies nothing from others before it is ready, and nothing at all if it stops before', async () => {
  const { started, kinds } = tabsStage();
  await started('a');
  kinds();
  const { promise, resolve } = Promise.withResolvers<void>();
  const waiting = await started('b', { ready: promise });
  const stopped = await started('c', { ready: promise });
  stopped.tabs.stop();
  assert.deepEqual([kinds(), waiting.log], [[], []]);
  resolve();
  await turn();
  assert.deepEqual(kinds(), ['b ask', 'a hello', 'a here']);
  assert.deepEqual(
    [waiting.took(), stopped.log, stopped.port.onmessage],
    [['opening', 'connecting'], [], null],
  );
});

test('a tab that stops frees the lock, its timers and its channel', async () => {
  const { started, clock, kinds } = tabsStage();
  const first = await started('a');
  const second = await started('b');
  first.tabs.stop();
  await turn();
  assert.deepEqual([first.tabs.isLeading, first.state.isClosed, first.isWatched()], [false, true, false]);
  assert.equal(second.tabs.isLeading, true);
  kinds();
  first.tabs.tell(block('late'));
  first.tabs.tellStatus('live', null);
  second.tabs.stop();
  assert.deepEqual([clock.delays, kinds()], [[], []]);
  const follower = await started('c');
  const asking = await started('d');
  follower.tabs.stop();
  asking.tabs.stop();
  assert.deepEqual(clock.delays, []);
});

test('a visible tab with locks keeps its stream while it is hidden', async () => {
  const { started, clock } = tabsStage();
  const tab = await started('a');
  tab.took();
  tab.show(false);
  await clock.pass(60_000);
  assert.deepEqual([tab.log, tab.tabs.isLeading], [[], true]);
});

test('the status of a new leader is known to tabs that join it', async () => {
  const { started } = tabsStage();
  const first = await started('a');
  const statuses: Status[] = ['live', 'offline', 'signedOut'];
  for (const [index, status] of statuses.entries()) {
    first.tabs.tellStatus(status, 7);
    const tab = await started(`${index}`);
    assert.deepEqual(tab.took(), ['opening', status]);
  }
});
