import assert from 'node:assert/strict';
import { test } from 'node:test';
import { outboxStage } from '../../support/outboxStage.ts';

test('an event with the message hides it before its response arrives', async () => {
  const { outbox, send, event, asked, shown, stored, changes } = outboxStage();
  await send(' hello ');
  changes.length = 0;
  event('hello');
  assert.deepEqual([shown(), changes.includes('pending:channel')], [[], true]);
  assert.deepEqual(await stored(), [' hello '], 'until the server has confirmed it');
  await asked()[0]?.accept({ id: 'elsewhere' });
  assert.deepEqual([shown(), await stored(), outbox.unsent], [[], [], 0]);
});

test('messages of others, with other texts or in other places do not hide a pending message', async () => {
  const { outbox, send, event, shown } = outboxStage();
  await send('hello');
  await send('hello', { threadId: 'thread' });
  event('hello', { creatorId: 'other' });
  event('hello!');
  event('hello', { channelId: 'other' });
  event('hello', { threadId: 'other thread' });
  const edited = { id: 'edited', creatorId: 'me', channelId: 'channel', threadId: null, content: 'hello' };
  outbox.apply({ type: 'message.updated', data: edited } as never);
  assert.deepEqual([shown(), shown('thread')], [['hello sending'], ['hello sending']]);
  event('hello', { threadId: 'thread' });
  assert.deepEqual([shown(), shown('thread')], [['hello sending'], []]);
});

test('each event hides one of several messages with the same text, and none that has not been sent', async () => {
  const { outbox, send, event, asked, shown } = outboxStage();
  for (let time = 0; time < 2; time++) await send('hello');
  event('hello', { id: 'one' });
  assert.deepEqual(shown(), ['hello waiting']);
  event('hello', { id: 'from another device' });
  assert.deepEqual(shown(), ['hello waiting']);
  await asked()[0]?.accept({ id: 'one' });
  assert.deepEqual(shown(), ['hello sending']);
  event('hello', { id: 'two' });
  assert.deepEqual([shown(), outbox.unsent], [[], 1]);
});

test('a message written without a connection stays pending when another device sends the same text', async () => {
  const { send, event, shown } = outboxStage({ isLost: () => true });
  await send('hello');
  event('hello');
  assert.deepEqual(shown(), ['hello waiting']);
});

test('a refused message stays visible when the same text is sent again', async () => {
  const { outbox, send, event, asked, shown } = outboxStage();
  await send('hello');
  await asked()[0]?.refuse(403);
  await send('hello');
  event('hello', { id: 'two' });
  assert.deepEqual(shown(), ['hello refused']);
  await asked()[0]?.accept({ id: 'two' });
  assert.deepEqual([shown(), outbox.hasStopped('channel')], [['hello refused'], true]);
});

test('a sent message is shown as pending until the replica has it', async () => {
  const { outbox, send, event, asked, shown, stored } = outboxStage({ isMissing: true });
  const key = await send('hello', { attachmentIds: ['file'] });
  await asked()[0]?.accept({ id: 'message' });
  assert.deepEqual([shown(), await stored(), outbox.unsent, outbox.isUnsafe], [['hello sent'], [], 0, false]);
  outbox.retry(key);
  assert.deepEqual([asked(), shown()], [[], ['hello sent']], 'it cannot be sent twice');
  event('hello', { id: 'message' });
  assert.deepEqual(shown(), []);
  assert.deepEqual([outbox.has('message'), outbox.has('other')], [false, false]);
});

test('the event of a sent message does not hide the next message with the same text', async () => {
  const { send, event, asked, shown } = outboxStage({ isMissing: true });
  for (let time = 0; time < 2; time++) await send('hello');
  await asked()[0]?.accept({ id: 'one' });
  assert.deepEqual(shown(), ['hello sent', 'hello sending']);
  event('hello', { id: 'one' });
  assert.deepEqual(shown(), ['hello sending']);
});

test('the reader of a window removes a sent message from the pending ones', async () => {
  const { outbox, send, asked, shown } = outboxStage({ isMissing: true });
  await send('hello');
  await asked()[0]?.accept({ id: 'message' });
  assert.deepEqual([outbox.has('message'), shown(), outbox.has('message')], [true, [], false]);
});

test('a held message stays pending until it is approved, does not block the next one, and needs no attention', async () => {
  const { outbox, send, event, asked, shown, stored, arrived } = outboxStage();
  await send('hello');
  await send('next');
  await asked()[0]?.accept({ held: true, id: 'held' });
  assert.deepEqual([shown(), await stored(), arrived], [['hello held', 'next sending'], ['next'], []]);
  assert.equal(outbox.at('channel')[0]?.heldId, 'held');
  assert.deepEqual([outbox.unsent, outbox.isUnsafe, outbox.hasStopped('channel')], [1, false, false]);
  event('hello', { id: 'approved' });
  assert.deepEqual(shown(), ['next sending']);
});

test('a response is applied as a read that began before the request', async () => {
  const { send, asked, replica } = outboxStage();
  await send('hello');
  assert.equal(replica.marks.isReading, true);
  replica.marks.change('message message-1');
  await asked()[0]?.accept();
  assert.equal(replica.row('message', 'message-1'), undefined, 'an event is newer');
  assert.equal(replica.marks.isReading, false);
});
