// @run sqlite: uses no database
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChannelView } from '../../server/src/access/predicates.ts';
import type { Reader } from '../../server/src/db/contract.ts';
import { areFresh, ChannelStates } from '../../server/src/feed/channelStates.ts';
import type { LoggedEvent } from '../../server/src/feed/logged.ts';

const dialect = { name: 'sqlite' };
const open: ChannelView = { private: false, readonly: false, roleIds: [], memberIds: null };
const closed: ChannelView = { ...open, private: true };
const eventIn = (channelId: string) => ({ channelId, channel: undefined }) as unknown as LoggedEvent;

/** Channel views whose loads end when the test calls their `answers`, in order. */
function waitingStates() {
  const answers: ((views: object[]) => void)[] = [];
  const states = new ChannelStates({
    dialect,
    all: () => new Promise((resolve) => answers.push(resolve as never)),
  } as unknown as Reader);
  return { states, answers };
}

test("a channel's view is not replaced by one that was read earlier", async () => {
  const { states, answers } = waitingStates();
  const event = eventIn('channel');
  const first = states.attach([event], 'reload');
  const second = states.attach([event], 'reload');
  const [answerFirst, answerSecond] = answers;
  answerSecond?.([{ id: 'channel', ...closed }]);
  await second;
  answerFirst?.([{ id: 'channel', ...open }]);
  await first;
  assert.equal(event.channel?.view.private, true);
});

test('readers that are behind at the same time share the loads of views, except for those of new events', async (t) => {
  let now = 1_000;
  t.mock.method(performance, 'now', () => now);
  const { states, answers } = waitingStates();
  const event = eventIn('channel');
  const behind = Array.from({ length: 100 }, () => states.attach([event]));
  assert.equal(answers.length, 1, 'one load for 100 readers');
  now += 250;
  const another = states.attach([event, eventIn('another')]);
  assert.equal(answers.length, 2, 'another load for another channel');
  const latest = states.attach([event], 'reload');
  assert.equal(answers.length, 3, 'a new event loads the view again');
  answers[0]?.([{ id: 'channel', ...open }]);
  answers[1]?.([{ id: 'another', ...open }]);
  await Promise.all([...behind, another]);
  assert.equal(event.channel?.view.private, false);
  answers[2]?.([{ id: 'channel', ...closed }]);
  await latest;
  assert.equal(event.channel?.view.private, true);
  now += 250;
  await states.attach([event]);
  assert.equal(answers.length, 3, 'a fresh view is not loaded');
  now += 1;
  const early = states.attach([event]);
  now += 251;
  const late = states.attach([event]);
  assert.equal(answers.length, 5, 'a load that started too early is not shared');
  answers[3]?.([{ id: 'channel', ...closed }]);
  answers[4]?.([{ id: 'channel', ...open }]);
  await Promise.all([early, late]);
  assert.equal(event.channel?.view.private, false);
});

test('a failed load of a view fails for every reader that shares it, and the next one loads it again', async () => {
  const answers: PromiseWithResolvers<object[]>[] = [];
  const all = () => {
    answers.push(Promise.withResolvers());
    return answers.at(-1)?.promise;
  };
  const states = new ChannelStates({ dialect, all } as unknown as Reader);
  const event = eventIn('channel');
  const behind = [states.attach([event]), states.attach([event])];
  answers[0]?.reject(new Error('unavailable'));
  for (const one of behind) await assert.rejects(one, /unavailable/);
  const next = states.attach([event]);
  answers[1]?.resolve([{ id: 'channel', ...open }]);
  await next;
  assert.equal(event.channel?.view.private, false);
});

test('all events in a channel share its view, regardless of how many channels are loaded in between', async () => {
  let view = open;
  const rows = () => [{ id: 'channel', channelId: 'channel', data: JSON.stringify(view), ...view }];
  const states = new ChannelStates({ dialect, all: async () => rows() } as unknown as Reader);
  const [early, late] = [eventIn('channel'), eventIn('channel')];
  await states.attach([early]);
  await states.attach(Array.from({ length: 10_001 }, (_, number) => eventIn(`other ${number}`)));
  await states.attach([late]);
  view = closed;
  await states.attach([early, late], 'reload');
  assert.deepEqual([early.channel?.view.private, late.channel?.view.private], [true, true]);
});

test('a view is read once for all events of its channel, and again after 250 ms or, to freshen it, after 125', async (t) => {
  let now = 1_000;
  t.mock.method(performance, 'now', () => now);
  let loads = 0;
  const all = async () => {
    loads++;
    return [{ id: 'channel', ...open }];
  };
  const states = new ChannelStates({ dialect, all } as unknown as Reader);
  const event = eventIn('channel');
  const elsewhere = { ...event, channelId: null } as LoggedEvent;
  const loadsOf = async (act: () => Promise<void>) => {
    loads = 0;
    await act();
    return loads;
  };
  assert.equal(await loadsOf(() => states.attach([elsewhere], 'reload')), 0, 'no channel');
  assert.equal(areFresh([elsewhere]), true);
  assert.equal(areFresh([event]), false, 'not read yet');
  assert.equal(await loadsOf(() => states.attach([event])), 1);
  assert.equal(await loadsOf(() => states.attach([eventIn('channel')])), 0);
  now += 125;
  assert.equal(await loadsOf(() => states.freshen([event])), 0);
  now += 1;
  assert.equal(await loadsOf(() => states.freshen([event])), 1);
  now += 250;
  assert.deepEqual([areFresh([event]), areFresh([event, elsewhere])], [true, true]);
  assert.equal(await loadsOf(() => states.attach([event])), 0);
  now += 1;
  assert.deepEqual([areFresh([event]), areFresh([elsewhere, event])], [false, false]);
  assert.equal(await loadsOf(() => states.attach([event])), 1);
});

test('the events of a deleted channel keep its last view, and nobody but admins sees those of an unknown one', async () => {
  const all = async (query: object) =>
    'values' in query ? [] : [{ channelId: 'channel', data: JSON.stringify({ ...open, roleIds: ['role'] }) }];
  const states = new ChannelStates({ dialect, all } as unknown as Reader);
  const [deleted, unknown] = [eventIn('channel'), eventIn('unknown')];
  await states.attach([deleted]);
  assert.deepEqual(deleted.channel?.view.roleIds, ['role']);
  await states.attach([unknown]);
  assert.equal(unknown.channel?.view.private, true);
});
