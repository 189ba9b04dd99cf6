// @run sqlite: uses no database
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { History } from '../../server/src/limits/history.ts';

const WINDOW_MS = 1_000;
const START_MS = 1_800_000_000_000;

/** A node's history, on a clock that stands still until `wait`. */
function historyOf() {
  let now = START_MS;
  const history = new History(WINDOW_MS, () => now);
  return {
    history,
    wait(ms: number): void {
      now += ms;
    },
    accept(times: number, isReported: boolean, subject = 'ada'): void {
      for (let count = 0; count < times; count++) history.accepted(subject, isReported);
    },
  };
}

test('a node that loses Valkey counts its own requests, and its share of those at other nodes', () => {
  const { history, wait, accept } = historyOf();
  assert.deepEqual(history.ages('ada', 2), []);
  accept(1, true);
  wait(10);
  accept(1, true);
  history.heard('ada', 7);
  assert.deepEqual(history.ages('ada', 2), [10, 0, 0, 0]);
  wait(20);
  assert.deepEqual(history.ages('ada', 2), [30, 20, 20, 20]);
  assert.deepEqual(history.ages('ada', 3), [30, 20, 20]);
  assert.deepEqual(history.ages('ada', 7), [30, 20], 'its own requests exceed its share');
  accept(1, false);
  assert.deepEqual(history.ages('ada', 2), [30, 20, 20, 0], 'oldest first');
  assert.deepEqual(history.ages('ada', 1), [30, 20, 20, 20, 20, 20, 0]);
});

test('requests at this node and at other nodes are forgotten after exactly one window', () => {
  const { history, wait, accept } = historyOf();
  history.heard('ada', 2);
  wait(WINDOW_MS - 1);
  assert.deepEqual(history.ages('ada', 1), [WINDOW_MS - 1, WINDOW_MS - 1]);
  wait(1);
  assert.deepEqual(history.ages('ada', 1), []);
  accept(1, true);
  wait(WINDOW_MS - 1);
  assert.deepEqual(history.ages('ada', 1), [WINDOW_MS - 1]);
  wait(1);
  assert.deepEqual(history.ages('ada', 1), []);
});

test('each unreported request is reported once, and again if the report fails', () => {
  const { history, wait, accept } = historyOf();
  assert.equal(history.takeUnreported('ada'), undefined);
  accept(2, true);
  assert.equal(history.takeUnreported('ada'), undefined);
  wait(10);
  accept(1, false);
  wait(10);
  accept(1, false);
  wait(5);
  assert.deepEqual(history.takeUnreported('ada'), { ages: [15, 5], amount: 2 });
  assert.equal(history.takeUnreported('ada'), undefined);
  accept(1, false);
  history.putBack('ada', 2);
  history.putBack('nobody', 2);
  assert.deepEqual(history.takeUnreported('ada'), { ages: [15, 5, 0], amount: 3 });
});

test('after Valkey has lost its data, every request of the window is reported', () => {
  const { history, wait, accept } = historyOf();
  accept(2, true);
  accept(1, true, 'bob');
  history.heard('eve', 5);
  wait(10);
  assert.deepEqual(history.unreported(9), []);
  history.forgotten();
  assert.deepEqual(history.unreported(9), ['ada', 'bob'], 'nobody was accepted as eve');
  assert.deepEqual(history.unreported(1), ['ada'], 'one batch');
  assert.deepEqual(history.takeUnreported('ada'), { ages: [10, 10], amount: 2 });
  assert.deepEqual(history.unreported(9), ['bob']);
});

test('requests older than the window are not reported, however many there are', () => {
  const { history, wait, accept } = historyOf();
  accept(100, false);
  wait(WINDOW_MS - 1);
  accept(1, false);
  assert.equal(history.takeUnreported('ada')?.ages.length, 101);
  history.putBack('ada', 101);
  wait(1);
  // Enough requests that the expired ones are dropped.
  accept(200, false);
  const { ages, amount } = history.takeUnreported('ada') as { ages: number[]; amount: number };
  assert.deepEqual([ages[0], ages.length, amount], [1, 201, 201]);
  history.putBack('ada', 1_000);
  assert.equal(history.takeUnreported('ada')?.amount, 201, 'only the requests that the history still holds');
});

test('a subject without requests in the window is no longer reported', () => {
  const { history, wait, accept } = historyOf();
  accept(1, false);
  accept(1, false, 'bob');
  history.heard('bob', 3);
  wait(WINDOW_MS - 1);
  accept(1, true, 'eve');
  assert.deepEqual(history.unreported(9), ['ada', 'bob']);
  wait(1);
  accept(1, true, 'eve');
  assert.deepEqual(history.unreported(9), []);
  history.putBack('ada', 1);
  history.forgotten();
  assert.deepEqual(history.unreported(9), ['eve']);
});

test('what other nodes accepted is remembered for a subject that this node has not accepted', () => {
  const { history, wait, accept } = historyOf();
  wait(WINDOW_MS / 2);
  history.heard('ada', 3);
  wait(WINDOW_MS - 1);
  // Subjects without requests are dropped now.
  accept(1, true, 'bob');
  assert.deepEqual(history.ages('ada', 1), Array(3).fill(WINDOW_MS - 1));
});
