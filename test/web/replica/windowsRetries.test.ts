import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openChannel, windowsStage } from '../../support/windowsStage.ts';

/** Opens a channel or thread whose read fails, and ignores the rejection. */
const open = ({ windows }: ReturnType<typeof windowsStage>, place: string | { threadId: string }) =>
  void windows.open(place, { serverId: 'server' }).catch(() => {});

test('an open channel that could not be read is read again every two seconds', async () => {
  for (const status of [undefined, 0, 429, 500, 503]) {
    const stage = windowsStage();
    open(stage, 'channel');
    for (let time = 0; time < 2; time++) {
      const [request, ...more] = await stage.requested();
      assert.deepEqual([request?.input.id, more.length], ['channel', 0], `${status}`);
      await request?.refuse(status);
      assert.deepEqual([stage.clock.delays, await stage.requested()], [[2_000], []]);
      await stage.clock.pass(2_000);
    }
    await (await stage.requested())[0]?.answer(['k']);
    await stage.appear('channel');
    assert.deepEqual([stage.line(), stage.clock.delays], ['k', []]);
  }
});

test('a closed channel that could not be read is not read again', async () => {
  const stage = windowsStage();
  open(stage, 'channel');
  await (await stage.requested())[0]?.refuse(500);
  stage.windows.close('channel');
  await stage.clock.pass(10_000);
  assert.deepEqual(await stage.requested(), []);
});

test('a channel that was refused is read again once it is visible', async () => {
  for (const status of [400, 403, 404]) {
    const stage = windowsStage();
    open(stage, 'channel');
    await (await stage.requested())[0]?.refuse(status);
    open(stage, 'channel');
    await (await stage.requested())[0]?.refuse(status);
    await stage.clock.pass(10_000);
    stage.replica.apply({ type: 'channel.deleted', serverId: 'server', data: { id: 'channel' } } as never);
    assert.deepEqual(await stage.requested(), [], `${status}`);
    await stage.appear('channel');
    const [request, ...more] = await stage.requested();
    assert.deepEqual([request?.input.id, more.length], ['channel', 0]);
    await request?.answer(['k']);
    assert.equal(stage.line(), 'k');
  }
});

test('a channel that was refused twice is read again both times that it becomes visible', async () => {
  const stage = windowsStage();
  for (let time = 0; time < 2; time++) {
    open(stage, 'channel');
    await (await stage.requested())[0]?.refuse(403);
    await stage.appear('channel');
    const [request] = await stage.requested();
    assert.equal(request?.input.id, 'channel');
    await request?.answer(['k']);
    assert.equal(stage.line(), 'k');
    stage.replica.apply({
      type: 'channel.deleted',
      serverId: 'server',
      data: { id: 'channel', serverId: 'server' },
    } as never);
  }
});

test('a visible channel or thread that was refused is read again, because the refusal may be stale', async () => {
  const stage = windowsStage();
  await stage.appear('channel');
  open(stage, 'channel');
  await (await stage.requested())[0]?.refuse(403);
  assert.deepEqual(stage.clock.delays, [2_000]);
  open(stage, { threadId: 'thread' });
  await (await stage.requested())[0]?.refuse(404);
  assert.deepEqual(stage.clock.delays, [2_000], 'the thread is not visible');
  stage.replica.apply({
    type: 'thread.created',
    serverId: 'server',
    data: { id: 'thread', channelId: 'channel', serverId: 'server' },
  } as never);
  open(stage, { threadId: 'thread' });
  await (await stage.requested())[0]?.refuse(404);
  assert.deepEqual(stage.clock.delays, [2_000, 2_000]);
  await stage.clock.pass(2_000);
  assert.deepEqual(
    (await stage.requested()).map(({ kind, input }) => `${kind} ${input.id}`),
    ['channel channel', 'thread thread'],
  );
});

test('nothing is read again once the person is signed out', async () => {
  const stage = windowsStage();
  await stage.appear('channel');
  for (const id of ['channel', 'hidden']) {
    open(stage, id);
    await (await stage.requested())[0]?.refuse(401);
  }
  await stage.appear('hidden');
  assert.deepEqual([stage.clock.delays, await stage.requested()], [[], []]);
});

test('an open channel whose messages were dropped is read again', async () => {
  const { replica, clock, requested, line } = await openChannel();
  replica.drop('server', false);
  await clock.pass(0);
  assert.equal(line(), undefined);
  const [request] = await requested();
  await request?.answer(['k', 'l', 'm', 'n']);
  assert.equal(line(), 'k l m n');
});

test('a window that is older than missed events is read again', async () => {
  const { windows, replica, clock, requested, line, appear } = windowsStage();
  await appear('channel');
  void windows.open('channel');
  const [stale] = await requested();
  replica.drop('server', false);
  await appear('channel');
  await stale?.answer(['k']);
  await clock.pass(0);
  assert.equal(line(), undefined);
  await (await requested())[0]?.answer(['k', 'l']);
  await clock.pass(1_000);
  assert.deepEqual([line(), await requested()], ['k l', []]);
});

test('older messages that arrive after the channel was emptied are discarded', async () => {
  const { windows, replica, clock, requested, line } = await openChannel();
  void windows.older('channel');
  const [older] = await requested();
  replica.drop('server', false);
  windows.close('channel');
  await older?.answer(['a'], { after: 'a' });
  await clock.pass(1_000);
  assert.deepEqual([line(), await requested()], [undefined, []]);
});

test('older messages of a channel that is no longer cached are not shown as its last ones', async () => {
  const { windows, lines, requested, line } = await openChannel();
  void windows.older('channel');
  const [older] = await requested();
  windows.close('channel');
  lines.drop('channel');
  await older?.answer(['a'], { after: 'a' });
  assert.equal(line(), undefined);
});

test('a window of messages before another one ends where it was asked to', async () => {
  const { windows, lines, requested } = await openChannel(['k', 'l'], { before: 'k', after: 'l' });
  void windows.older('channel');
  await (await requested())[0]?.answer(['i', 'j'], { before: 'i', after: null });
  assert.equal(lines.get('channel')?.atEnd, true, 'the server knows of no later messages');
});

test('a message around which a channel was opened before the session is shown', async () => {
  const { windows, requested, line, appear } = windowsStage();
  const view = { cursor: '', users: [], threads: [], reactions: [], pins: [], before: 'c', after: 'e' };
  const messages = ['c', 'd', 'e'].map((id) => ({
    id,
    channelId: 'channel',
    threadId: null,
    serverId: 'server',
  }));
  const ahead = Promise.resolve({ ...view, messages });
  void windows.ahead({ id: 'channel', around: 'd', view: ahead } as never, 'server');
  void windows.open('channel', { around: 'd' });
  await appear('channel');
  assert.deepEqual([await requested(), line()], [[], 'c d e']);
});
