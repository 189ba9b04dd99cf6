import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createPalaver, type Palaver, streamMessage } from '../../client/src/index.ts';
import { dataOf } from '../support/expect.ts';
import { type Client, World } from '../support/world.ts';

let world: World;
let client: Client;
let palaver: Palaver;
let channelId: string;
before(async () => {
  world = await World.open();
  const server = await world.server(await world.user());
  client = await world.client(server, ['canEditChannel', 'canEditData'], await world.user({ agent: true }));
  palaver = createPalaver({ baseUrl: world.url, key: client.key });
  ({ id: channelId } = await palaver.channelInsert({ name: 'one' }));
});
after(() => world.close());

test('text is streamed in order, and the message is complete at the end', async () => {
  const message = await streamMessage(palaver, { channelId, content: 'Land' });
  const pieces = Array.from({ length: 30 }, (_, at) => ` ${at}`);
  // These appends are not awaited, so several pieces are sent in one request.
  for (const piece of pieces) void message.append(piece);
  await message.append('');
  const whole = `Land${pieces.join('')}`;
  const open = await palaver.messageById({ messageId: message.id });
  assert.deepEqual([open.content, open.stream], [whole, 'open']);
  await message.done(' ho');
  const done = await palaver.messageById({ messageId: message.id });
  assert.deepEqual([done.content, done.stream, message.text], [`${whole} ho`, 'done', `${whole} ho`]);
  await assert.rejects(() => message.done(), TypeError);
});

test('a long text is sent in pieces, and a surrogate pair in two appends stays whole', async () => {
  const message = await streamMessage(palaver, { channelId });
  const long = '😀'.repeat(2_500);
  await message.append(`x${long}${'😀'.charAt(0)}`);
  await message.append('😀'.charAt(1));
  await message.done();
  const { content } = await palaver.messageById({ messageId: message.id });
  assert.equal(content, `x${long}😀`);
});

test("the stream continues from the server's offset", async () => {
  const message = await streamMessage(palaver, { channelId });
  await message.append('One, ');
  // Simulates an append whose response is lost.
  await palaver.messageAppend({ id: message.id, offset: 5, text: 'two, ' });
  await message.append('two, three');
  await message.done();
  const { content } = await palaver.messageById({ messageId: message.id });
  assert.equal(content, 'One, two, three');
});

test('a stopped message rejects text', async () => {
  const message = await streamMessage(palaver, { channelId, content: 'So far' });
  dataOf(await client.post(`/messages/${message.id}/stop`));
  await assert.rejects(message.append(' on'), (error: { problems: { reason: string }[] }) => {
    assert.equal(error.problems[0]?.reason, 'ended');
    return true;
  });
});
