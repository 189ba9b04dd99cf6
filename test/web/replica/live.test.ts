import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { Live } from '../../../web/replica/live.ts';
import { Replica } from '../../../web/replica/replica.ts';
import type { Api, LiveEvent } from '../../../web/replica/types.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { until } from '../../support/process.ts';
import type { Json } from '../../support/world.ts';

/** An API whose requests for presence the test answers, and which refuses indicators. */
function fakeApi() {
  const [told, asked, read]: [Json[], Json[], Json[]] = [[], [], []];
  const presences = ({ userIds }: { userIds: string }) => {
    const { promise, resolve, reject } = Promise.withResolvers();
    asked.push({
      userIds: userIds.split(','),
      answer: async (status: string) => {
        resolve({ people: userIds.split(',').map((userId) => ({ userId, status })) });
        await turn();
      },
      refuse: async (status?: number) => {
        reject(Object.assign(new Error('refused'), { status }));
        await turn();
      },
    });
    return promise;
  };
  const indicatorInsert = async (input: Json) => {
    told.push(input);
    throw new Error('refused');
  };
  const messageById = (input: Json) => {
    read.push(input);
    return new Promise(() => {});
  };
  const api = (() => ({ presences, indicatorInsert, messageById })) as unknown as Api;
  return { api, told, asked, read };
}

/** Typing indicators and presence for the user `me`, with the requests that the test answers. */
function stage() {
  const clock = new FakeClock(1e12);
  const changes: string[] = [];
  const state = { isLost: false };
  const { api, told, asked, read } = fakeApi();
  const replica = new Replica(() => {});
  const live = new Live({
    ...{ around: clock, api, replica, changed: (key) => void changes.push(key), isLost: () => state.isLost },
  });
  live.userId = 'me';
  const event = (type: string, data: Json) =>
    live.apply({ type, serverId: 'server', data } as unknown as LiveEvent);
  const types = (userId: string, type = 'typing', verb = 'created', place: Json = { channelId: 'channel' }) =>
    event(`indicator.${verb}`, { id: type, userId, type, threadId: null, serverId: 'server', ...place });
  const typing = (placeId = 'channel') =>
    live.typing(placeId).map(({ userId, type }: Json) => `${userId} ${type}`);
  /** The requests for presence within 50 ms from now. */
  const requested = async () => {
    await clock.pass(50);
    return asked.splice(0);
  };
  const status = (userId: string) => (live.presence('server', userId) as Json | undefined)?.status;
  const isOnline = (userId: string, rest: Json = {}) =>
    event('presence.updated', { people: [{ userId, status: 'online' }], isWhole: true, ...rest });
  return {
    live,
    replica,
    read,
    clock,
    changes,
    told,
    state,
    event,
    types,
    typing,
    requested,
    status,
    isOnline,
  };
}

test('a typing indicator lasts twelve seconds unless it is renewed', async () => {
  const { clock, types, typing, changes, live } = stage();
  assert.equal(live.typing('channel'), live.typing('other'), 'all empty lists are the same');
  types('ada');
  assert.deepEqual([typing(), typing('other'), changes.splice(0)], [['ada typing'], [], ['typing:channel']]);
  await clock.pass(8_000);
  types('ada', 'typing', 'updated');
  await clock.pass(11_999);
  assert.deepEqual(typing(), ['ada typing']);
  changes.length = 0;
  await clock.pass(1);
  assert.deepEqual([typing(), changes, clock.delays], [[], ['typing:channel'], []]);
  assert.equal(live.typing('channel'), live.typing('other'));
});

test('indicators of threads, channels and servers are separate', () => {
  const { types, typing } = stage();
  types('ada', 'typing', 'created', { channelId: 'channel', threadId: 'thread' });
  types('bob', 'working', 'created', { channelId: null });
  assert.deepEqual([typing('thread'), typing(), typing('server')], [['ada typing'], [], ['bob working']]);
});

test("the user's own indicators and those of unknown types are not shown", () => {
  const { types, typing } = stage();
  types('me');
  types('ada', 'dancing');
  assert.deepEqual(typing(), []);
});

test('a later indicator replaces one of another type, whose end then has no effect', async () => {
  const { types, typing, clock } = stage();
  types('bob');
  types('ada', 'thinking');
  types('ada', 'working');
  assert.deepEqual(typing(), ['bob typing', 'ada working']);
  types('ada', 'thinking', 'deleted');
  assert.deepEqual(typing(), ['bob typing', 'ada working']);
  await clock.pass(12_000);
  assert.deepEqual(typing(), []);
  for (const verb of ['created', 'deleted']) types('ada', 'working', verb);
  assert.deepEqual(typing(), []);
});

test("a message ends its author's indicators in that place, except that an agent is still working", () => {
  const { types, typing, event } = stage();
  for (const userId of ['ada', 'bob']) types(userId);
  types('agent', 'working');
  types('ada', 'typing', 'created', { threadId: 'thread', channelId: 'channel' });
  event('message.created', { creatorId: 'ada', channelId: 'channel', threadId: null });
  event('message.created', { creatorId: 'agent', channelId: 'channel', threadId: null });
  assert.deepEqual([typing(), typing('thread')], [['bob typing', 'agent working'], ['ada typing']]);
  event('message.created', { creatorId: 'ada', channelId: 'channel', threadId: 'thread' });
  assert.deepEqual(typing('thread'), []);
});

test("the user's typing is sent at most every five seconds per place, and again after a message", async () => {
  const { live, clock, told, state } = stage();
  live.tell('server', { channelId: 'channel' });
  live.tell('server', { channelId: 'channel' });
  live.tell('server', { threadId: 'thread' });
  assert.deepEqual(told.splice(0), [
    { type: 'typing', channelId: 'channel' },
    { type: 'typing', threadId: 'thread' },
  ]);
  await clock.pass(4_999);
  live.tell('server', { channelId: 'channel' });
  assert.deepEqual(told, []);
  await clock.pass(1);
  live.tell('server', { channelId: 'channel' });
  live.sent('channel');
  live.tell('server', { channelId: 'channel' });
  assert.equal(told.splice(0).length, 2);
  live.sent('channel');
  state.isLost = true;
  live.tell('server', { channelId: 'channel' });
  assert.deepEqual(told, [], 'without a connection');
});

test('the presence of members that are shown is requested together, by a hundred', async () => {
  const { live, requested, status, changes } = stage();
  const names = Array.from({ length: 200 }, (_, index) => `user-${index}`);
  live.watch('server', names.slice(0, 100));
  live.watch('server', names.slice(50));
  const requests = await requested();
  assert.deepEqual(
    requests.map(({ userIds }) => userIds),
    [names.slice(0, 100), names.slice(100)],
  );
  await requests[1]?.answer('online');
  assert.deepEqual([status('user-199'), status('user-0')], ['online', undefined]);
  assert.equal(changes.length, 100);
  assert.ok(changes.includes('presence:server user-199'));
  live.watch('server', ['user-199']);
  assert.deepEqual(await requested(), [], 'it is known');
});

test('presence is kept until the last component that shows it is gone', async () => {
  const { live, requested, status, isOnline } = stage();
  const ends = [live.watch('server', ['ada']), live.watch('server', ['ada'])];
  await (await requested())[0]?.answer('online');
  ends[0]?.();
  assert.equal(status('ada'), 'online');
  ends[1]?.();
  assert.equal(status('ada'), undefined);
  isOnline('ada');
  assert.equal(status('ada'), undefined, 'nothing shows it');
  live.watch('server', ['ada']);
  assert.equal((await requested()).length, 1);
});

test('a response does not replace presence from a later event', async () => {
  const { live, requested, status, isOnline, event } = stage();
  live.watch('server', ['ada', 'bob']);
  const [request] = await requested();
  isOnline('ada');
  await request?.answer('offline');
  assert.deepEqual([status('ada'), status('bob')], ['online', 'offline']);
  event('presence.updated', { people: [{ userId: 'ada', status: 'away' }], isWhole: true });
  assert.equal(status('ada'), 'away');
  assert.deepEqual(await requested(), []);
});

test('after an event without its members, the presence of visible members of that server is requested again', async () => {
  const { live, requested, isOnline } = stage();
  live.watch('server', ['ada', 'bob']);
  live.watch('other', ['eve']);
  await requested();
  isOnline('ada', { isWhole: false });
  const [request, ...more] = await requested();
  assert.deepEqual([request?.userIds, more.length], [['ada', 'bob'], 0]);
});

test('presence that could not be read is requested again after five seconds, while it is shown', async () => {
  for (const status of [undefined, 399, 429, 500]) {
    const { live, requested, clock } = stage();
    const end = live.watch('server', ['ada']);
    live.watch('server', ['bob']);
    await (await requested())[0]?.refuse(status);
    end();
    await clock.pass(4_999);
    assert.deepEqual(await requested(), [], `${status}`);
    const [again] = await requested();
    assert.deepEqual(again?.userIds, ['bob']);
  }
});

test('a refusal of presence is final', async () => {
  for (const status of [400, 403, 404, 499]) {
    const { live, requested, clock } = stage();
    live.watch('server', ['ada']);
    await (await requested())[0]?.refuse(status);
    await clock.pass(60_000);
    assert.deepEqual(await requested(), [], `${status}`);
  }
});

test('after an interruption, nobody is typing, and presence is requested again', async () => {
  const { live, types, typing, requested } = stage();
  live.watch('server', ['ada', 'bob']);
  live.watch('other', ['eve']);
  for (const request of await requested()) await request.answer('online');
  types('ada');
  types('bob', 'working', 'created', { channelId: null });
  live.renew();
  assert.deepEqual([typing(), typing('server')], [[], []]);
  assert.deepEqual(
    (await requested()).map(({ userIds }) => userIds),
    [['ada', 'bob'], ['eve']],
  );
});

test('nothing is requested after the session has stopped', async () => {
  const { live, types, requested, clock } = stage();
  live.watch('server', ['ada']);
  types('ada');
  const [request] = await requested();
  live.stop();
  assert.deepEqual(clock.delays, []);
  await request?.refuse(500);
  await clock.pass(60_000);
  assert.deepEqual(await requested(), []);
});

test('a message that is being streamed grows, and is read again after an interruption', async () => {
  const { live, replica, read, event, clock } = stage();
  const begun = replica.marks.begin();
  const message = { id: 'message', serverId: 'server', channelId: 'channel', content: 'Hel', stream: 'open' };
  replica.reading(begun, { message: [message as never] });
  replica.marks.end(begun);
  event('messageDelta.appended', { messageId: 'message', offset: 3, text: 'lo' });
  await until(() => clock.delays.length > 0);
  await clock.pass(80);
  assert.deepEqual([replica.row('message', 'message')?.content, read], ['Hello', []]);
  live.renew();
  await turn();
  assert.deepEqual(read, [{ messageId: 'message' }]);
});

test('when the stream opens, messages that are already being streamed are read, now or after a read in flight', async () => {
  const { live, replica, read, clock } = stage();
  live.renew();
  assert.deepEqual([read, clock.delays], [[], []], 'nothing is being streamed');
  const begun = replica.marks.begin();
  live.renew();
  assert.deepEqual(clock.delays, [2_000]);
  const message = { id: 'message', serverId: 'server', channelId: 'channel', content: 'Hel', stream: 'open' };
  replica.reading(begun, { message: [message as never] });
  replica.marks.end(begun);
  await clock.pass(2_000);
  await until(() => read.length > 0);
  assert.deepEqual([read, clock.delays], [[{ messageId: 'message' }], []]);
});
