import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createPalaver, type Palaver } from '../../client/src/index.ts';
import { type Json, World } from '../support/world.ts';

// Uploads, downloads and messages with files.

let world: World;
let server: Json;
let palaver: Palaver;
let channelId: string;
before(async () => {
  world = await World.open();
  server = await world.server(await world.user());
  const { key } = await world.client(server, ['canAdmin']);
  palaver = createPalaver({ baseUrl: `${world.url}/`, key });
  channelId = (await palaver.channelInsert({ name: 'files' })).id;
});
after(() => world.close());

const text = (content: string, name = 'notes.txt') => new File([content], name);

test('a file is uploaded, sent with a message, and downloaded', async () => {
  const { id, name, bytes, messageId } = await palaver.attachmentInsert({ file: text('one two') });
  assert.deepEqual([name, bytes, messageId], ['notes.txt', 7, null]);
  const blob = await palaver.attachmentInsert({ file: new Blob(['x']), name: 'blob.txt' });
  assert.equal(blob.name, 'blob.txt');
  await palaver.messageSend({ channelId, content: '', attachmentIds: [id, blob.id] });
  const [message] = await palaver.channelMessages({ channelId, limit: 1 });
  assert.deepEqual(
    message?.attachments?.map((file) => file.id),
    [id, blob.id],
  );
  const whole = await palaver.attachmentContent({ attachmentId: id });
  assert.equal(await whole.text(), 'one two');
  const part = await palaver.attachmentContent({ attachmentId: id, range: { from: 4 } });
  assert.deepEqual([part.status, await part.text()], [206, 'two']);
  const start = await palaver.attachmentContent({ attachmentId: id, range: { from: 0, to: 2 } });
  assert.equal(await start.text(), 'one');
});

test('files are sent with one call, and only once if the call is repeated with its key', async () => {
  const files = [text('a', 'a.txt'), text('b', 'b.txt')];
  const once = { idempotencyKey: 'files-1' };
  const first = await palaver.messageSendWithFiles({ channelId, content: 'Two', files }, once);
  const again = await palaver.messageSendWithFiles({ channelId, content: 'Two', files }, once);
  assert.equal(again.id, first.id);
  const { id } = await palaver.messageSendWithFiles({ channelId, files: [text('c', 'c.txt')] });
  const shown = await palaver.messageById({ messageId: id });
  assert.deepEqual([shown.content, shown.attachments?.map(({ name }) => name)], ['', ['c.txt']]);
});

test('an error is a PalaverError, and a malformed identifier is rejected before it is sent', async () => {
  await assert.rejects(palaver.attachmentInsert({ file: new File([], 'empty.txt') }), {
    name: 'PalaverError',
    code: 'INVALID_REQUEST',
    status: 400,
  });
  await assert.rejects(palaver.attachmentContent({ attachmentId: channelId }), { code: 'NOT_FOUND' });
  await assert.rejects(palaver.attachmentContent({ attachmentId: '..' }), TypeError);
});

test("uploads and downloads are retried after failures, and a download's body is a stream", async () => {
  let failures = 0;
  const { key } = await world.client(server, ['canAdmin']);
  const flaky = createPalaver({
    baseUrl: world.url,
    key,
    fetch: async (request, init) => {
      if (failures-- > 0) return new Response('no', { status: 503, headers: { 'retry-after': '0' } });
      return fetch(request, init);
    },
  });
  failures = 1;
  const { id } = await flaky.attachmentInsert({ file: text('x'.repeat(200_000)) });
  failures = 1;
  const response = await flaky.attachmentContent({ attachmentId: id });
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  let bytes = 0;
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) bytes += chunk.value.length;
  assert.equal(bytes, 200_000);
});

test('a signal aborts a download in progress', async () => {
  const { id } = await palaver.attachmentInsert({ file: text('x'.repeat(5_000_000)) });
  const stop = new AbortController();
  const { body } = await palaver.attachmentContent({ attachmentId: id }, { signal: stop.signal });
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  await reader.read();
  stop.abort(new Error('enough'));
  await assert.rejects(async () => {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read());
  });
});
