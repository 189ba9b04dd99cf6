import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { Browser } from '../support/account.ts';
import { assertRefused } from '../support/expect.ts';
import { granted } from '../support/grants.ts';
import { called, connect, refusedCall } from '../support/mcp.ts';
import { Scene } from '../support/scene.ts';
import { type Json, World } from '../support/world.ts';

let world: World;
let scene: Scene;
before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
});
after(() => world.close());

const wait = async (client: Parameters<typeof called>[0], args: Json) =>
  called(client, 'wait_for_events', { seconds: 0, ...args });

test('a wait for events starts now or after the cursor in the last result', async () => {
  const client = await connect(scene, scene.admin.key, '/mcp');
  const channel = await scene.channel();
  const { data: start, text } = await wait(client, { after: 'now' });
  assert.deepEqual(start.events, []);
  assert.equal(text, `No events.\nCall again: wait_for_events with after=${start.after}`);
  const waiting = wait(client, { after: start.after, seconds: 50 });
  const message = await scene.message({ channelId: channel.id, content: 'Land ho' });
  const { data, text: lines } = await waiting;
  assert.deepEqual(
    data.events.map(({ type, data: { id } }: Json) => [type, id]),
    [['message.created', message.id]],
  );
  assert.match(
    lines,
    new RegExp(`^message.created in channel ${channel.id}: \\[..:..\\] .* \\(id ${message.id}\\): Land ho\n`),
  );
  await scene.make('/reactions', { messageId: message.id, emoji: '👍' });
  await scene.make('/pins', { messageId: message.id });
  const { data: pins } = await wait(client, { after: data.after, types: ['pin.*'] });
  assert.deepEqual(
    pins.events.map(({ type }: Json) => type),
    ['pin.created'],
  );
  assert.deepEqual((await wait(client, { after: pins.after })).data.events, []);
  await client.close();
});

test('a wait that starts now gets events that happen during it', async () => {
  const client = await connect(scene, scene.admin.key, '/mcp');
  const channel = await scene.channel();
  const waiting = wait(client, { after: 'now', seconds: 50, types: ['message.created'] });
  // The wait may begin after the first messages.
  let isOver = false;
  const over = waiting.finally(() => {
    isOver = true;
  });
  while (!isOver) await scene.message({ channelId: channel.id });
  const { data } = await over;
  assert.equal(data.events[0].type, 'message.created');
  await client.close();
});

test('a streamed message is one event, when it is complete, and its start does not end a wait', async () => {
  const client = await connect(scene, scene.admin.key, '/mcp');
  const { id: channelId } = await scene.channel();
  const { data: start } = await wait(client, { after: 'now' });
  const waiting = [undefined, ['message.created'], ['message.*']].map((types) =>
    wait(client, { after: start.after, seconds: 50, ...(types && { types }) }),
  );
  const { id } = await scene.make('/messages', { channelId, streaming: true, content: 'Land' });
  const { text: open } = await called(client, 'read_channel', { channelId });
  assert.match(open, new RegExp(`\\(id ${id}, still being written\\): Land`));
  await scene.make(`/messages/${id}/append`, { offset: 4, text: ' ho', done: true });
  for (const { data } of await Promise.all(waiting))
    assert.deepEqual(
      data.events.map(({ type, data: { id, text } }: Json) => [type, id, text]),
      [['message.created', id, 'Land ho']],
    );
  const { data } = await wait(client, { after: start.after, types: ['message.updated'] });
  assert.deepEqual(data.events, []);
  await client.close();
});

test('a wait only returns events that its caller can see', async () => {
  const user = await world.user();
  await world.member(scene.server, user);
  const { token } = await granted(world, await Browser.of(world, user), scene.server.id);
  const client = await connect(scene, token);
  const { data: start } = await wait(client, { after: 'now' });
  const hidden = await scene.channel({ private: true });
  await scene.message({ channelId: hidden.id });
  const open = await scene.message();
  const { data } = await wait(client, { after: start.after, types: ['message.created'] });
  assert.deepEqual(
    data.events.map((event: Json) => event.data.id),
    [open.id],
  );
  await client.close();
});

test('a wait rejects cursors and types that it cannot follow', async () => {
  const client = await connect(scene, scene.admin.key, '/mcp');
  const refused = (args: Json) => refusedCall(client, 'wait_for_events', { seconds: 0, ...args });
  assert.match(await refused({ after: 'x' }), /^INVALID_REQUEST: after: /);
  assert.match(await refused({ after: 'now', types: ['none'] }), /^INVALID_REQUEST: types: unknown event/);
  assert.match(await refused({ after: 'now', types: 'message.created' }), /types must be a list of strings/);
  assert.match(
    await refused({ after: 'now', seconds: -1 }),
    /^INVALID_REQUEST: seconds must be from 0 to 50/,
  );
  assert.match(await refused({}), /after is required/);
  await client.close();
});

test("a wait counts towards a node's concurrent requests", async () => {
  const small = await World.open({ bounds: { requests: 1 } });
  const there = await Scene.open(small);
  const client = await connect(there, there.admin.key, '/mcp');
  const { data: start } = await wait(client, { after: 'now' });
  while (small.app.inFlight.amount > 0) await setImmediate();
  const waiting = wait(client, { after: start.after, seconds: 50, types: ['message.created'] });
  while (small.app.inFlight.amount === 0) await setImmediate();
  assertRefused(await there.admin.get(`/servers/${there.server.id}`), 'RATE_LIMITED');
  await small.close();
  await assert.rejects(waiting.then(() => client.ping()));
});
