import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openChannel, windowsStage } from '../../support/windowsStage.ts';

test('opening a channel reads its last messages, once', async () => {
  const { windows, lines, requested, line, appear } = windowsStage();
  await appear('channel');
  for (let time = 0; time < 2; time++) void windows.open('channel');
  const [request, ...more] = await requested();
  assert.deepEqual([request?.kind, request?.serverId, more.length], ['channel', 'server', 0]);
  assert.deepEqual(request?.input, { id: 'channel', isThreadReply: false, limit: 50 });
  await request?.answer(['k', 'l'], { before: 'k' });
  assert.deepEqual(lines.get('channel'), { ids: ['k', 'l'], atStart: false, atEnd: true });
  await windows.open('channel');
  assert.deepEqual([await requested(), line(), lines.isOpen('channel')], [[], 'k l', true]);
  windows.close('channel');
  assert.equal(lines.isOpen('channel'), false);
});

test('opening a thread reads it, and its channel is known from then on', async () => {
  const { windows, requested, line, appear } = windowsStage();
  await appear('channel');
  const place = { threadId: 'thread' };
  assert.equal(windows.whereIs(place), undefined);
  void windows.open(place, { serverId: 'server' });
  const [request] = await requested();
  assert.deepEqual([request?.kind, request?.serverId], ['thread', 'server']);
  assert.deepEqual(request?.input, { id: 'thread', limit: 50 });
  await request?.answer(['a', 'b']);
  assert.equal(line('thread'), 'a b');
  assert.deepEqual(windows.whereIs(place), { serverId: 'server', channelId: 'channel', threadId: 'thread' });
  assert.deepEqual(windows.whereIs('channel'), { serverId: 'server', channelId: 'channel' });
  assert.equal(windows.whereIs('unknown'), undefined);
});

test('a thread without a known server is read outside of all servers', async () => {
  const { windows, requested, appear } = windowsStage();
  void windows.open({ threadId: 'thread' });
  const [request] = await requested();
  assert.equal(request?.serverId, 'none');
  await request?.answer(['a']);
  assert.deepEqual(windows.whereIs({ threadId: 'thread' }), undefined, 'its channel is not visible yet');
  await appear('channel');
  assert.equal(windows.whereIs({ threadId: 'thread' })?.channelId, 'channel');
});

test('a channel is read at once if the server is known, and otherwise once it is visible', async () => {
  const { windows, requested, line, appear } = windowsStage();
  void windows.open('channel');
  void windows.open('other', { serverId: 'server' });
  const [request, ...more] = await requested();
  assert.deepEqual([request?.serverId, request?.input.id, more.length], ['server', 'other', 0]);
  assert.deepEqual(windows.whereIs('other'), { serverId: 'server', channelId: 'other' });
  await request?.answer(['a']);
  assert.equal(line('other'), undefined, 'the channel may be hidden');
  await appear('other');
  assert.equal(line('other'), 'a');
  await appear('channel');
  assert.equal((await requested()).length, 1);
});

test('a window around a message is read unless it is cached, and shown instead of the end', async () => {
  const { windows, lines, requested, line } = await openChannel();
  void windows.open('channel', { around: 'd' });
  const [request] = await requested();
  assert.equal(request?.input.around, 'd');
  await request?.answer(['c', 'd', 'e'], { before: 'c', after: 'e' });
  assert.equal(line(), 'c d e');
  await windows.open('channel', { around: 'l' });
  assert.equal(line(), 'k l m');
  void windows.open('channel', { around: 'd' });
  assert.deepEqual([line(), (await requested())[0]?.input.around], ['k l m', 'd'], 'only the end is kept');
  assert.equal(lines.get('channel')?.atEnd, true);
});

test('older messages are read before the first cached one, until there are none', async () => {
  const { windows, lines, requested, line } = await openChannel();
  for (let time = 0; time < 2; time++) void windows.older('channel');
  const [request, ...more] = await requested();
  assert.deepEqual([request?.input.before, more.length], ['k', 0]);
  await request?.answer(['h', 'i'], { before: 'h', after: 'i' });
  assert.equal(line(), 'h i k l m', 'no message is missing between i and k');
  void windows.older('channel');
  await (await requested())[0]?.answer(['a'], { after: 'a' });
  assert.deepEqual([line(), lines.get('channel')?.atStart], ['a h i k l m', true]);
  await windows.older('channel');
  await windows.older('unknown');
  assert.deepEqual(await requested(), []);
});

test('newer messages are read after the last cached one, until the end', async () => {
  const { windows, lines, requested, line } = await openChannel(['c', 'd'], { before: 'c', after: 'd' });
  for (let time = 0; time < 2; time++) void windows.newer('channel');
  const [request, ...more] = await requested();
  assert.deepEqual([request?.input.after, more.length], ['d', 0]);
  await request?.answer(['f', 'g'], { before: 'f', after: 'g' });
  assert.equal(line(), 'c d f g', 'no message is missing between d and f');
  void windows.newer('channel');
  await (await requested())[0]?.answer(['m'], { before: 'm' });
  assert.deepEqual([line(), lines.get('channel')?.atEnd], ['c d f g m', true]);
  await windows.newer('channel');
  await windows.newer('unknown');
  assert.deepEqual(await requested(), []);
});

test('the messages furthest from where the person scrolls are dropped first', async () => {
  const ids = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => `m${String(from + index).padStart(5, '0')}`);
  const { windows, lines, requested } = await openChannel(ids(1_000, 2_000), { before: 'm01000' });
  void windows.older('channel');
  await (await requested())[0]?.answer(ids(950, 50), { before: 'm00950', after: 'm00999' });
  const older = lines.get('channel');
  assert.deepEqual([older?.ids[0], older?.atEnd], ['m00950', false]);
  for (let time = 0; time < 12; time++) {
    void windows.newer('channel');
    const [request] = await requested();
    const from = Number(request?.input.after.slice(1)) + 1;
    await request?.answer(ids(from, 50), { before: ids(from, 1)[0], after: ids(from + 49, 1)[0] });
  }
  assert.equal(lines.get('channel')?.ids.at(-1), ids(950 + 1_500 + 12 * 50 - 1, 1)[0]);
});

test('returning to the present shows the cached end, or reads it', async () => {
  const { windows, requested, line } = await openChannel(['c', 'd'], { before: 'c', after: 'd' });
  void windows.toPresent('channel');
  const [request] = await requested();
  assert.deepEqual(request?.input, { id: 'channel', isThreadReply: false, limit: 50 });
  await request?.answer(['m'], { before: 'm' });
  assert.equal(line(), 'm');
  await windows.toPresent('channel');
  assert.deepEqual(await requested(), []);
});

test('up to two channels are prefetched at once, unless they are open or cached', async () => {
  const { windows, requested, line, appear, lines } = await openChannel();
  windows.prefetch('channel');
  windows.prefetch('unknown');
  for (const id of ['a', 'b', 'c']) {
    await appear(id);
    windows.prefetch(id, id === 'b' ? 'x' : undefined);
  }
  const [first, second, ...more] = await requested();
  assert.deepEqual(
    [first?.input.id, second?.input.id, second?.input.around, more.length],
    ['a', 'b', 'x', 0],
  );
  await first?.answer(['k']);
  await second?.answer(['w', 'x', 'y'], { before: 'w', after: 'y' });
  assert.deepEqual([line('a'), line('b'), lines.isOpen('a')], ['k', 'w x y', false]);
  windows.prefetch('a');
  windows.prefetch('b', 'x');
  assert.deepEqual(await requested(), []);
  windows.prefetch('b', 'c');
  windows.prefetch('c');
  const again = await requested();
  assert.deepEqual(
    again.map(({ input }) => input.id),
    ['b', 'c'],
  );
  for (const request of again) await request.refuse(403);
  windows.prefetch('c');
  assert.equal((await requested()).length, 1, 'a failure does not count');
});

test('a window that was requested before the session is used, and read again if it failed', async () => {
  for (const isLost of [false, true]) {
    const { windows, requested, line, appear, clock } = windowsStage();
    const view = { cursor: '', users: [], threads: [], reactions: [], pins: [], before: null, after: null };
    const messages = [{ id: 'k', channelId: 'channel', threadId: null, serverId: 'server' }];
    const ahead = isLost ? Promise.resolve(undefined) : Promise.resolve({ ...view, messages });
    void windows.ahead({ id: 'channel', around: undefined, view: ahead } as never, 'server');
    void windows.open('channel');
    await appear('channel');
    const requests = await requested();
    assert.equal(requests.length, isLost ? 1 : 0);
    await requests[0]?.answer(['k']);
    await clock.pass(10_000);
    assert.deepEqual([line(), await requested()], ['k', []]);
  }
});
