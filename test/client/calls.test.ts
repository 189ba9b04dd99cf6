import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { operations } from '../../client/src/generated/operations.ts';
import { createPalaver, type Palaver } from '../../client/src/index.ts';
import { type Client, type Json, World } from '../support/world.ts';

let world: World;
let server: Json;
let client: Client;
let palaver: Palaver;
let channelId: string;

before(async () => {
  world = await World.open();
  server = await world.server(await world.user());
  client = await world.client(server, ['canAdmin']);
  palaver = createPalaver({ baseUrl: `${world.url}/`, key: client.key });
  channelId = (await palaver.channelInsert({ name: 'one' })).id;
});
after(() => world.close());

test('a call takes path, query and body fields in one object, and returns the data', async () => {
  const sent = await palaver.messageSend({ channelId, content: 'Hello ä€😀' });
  assert.equal(sent.content, 'Hello ä€😀');
  assert.equal((await palaver.messageSave({ messageId: sent.id, content: 'Edited' })).content, 'Edited');
  const [found, ...others] = await palaver.channelMessages({
    channelId,
    creatorId: sent.creatorId,
    limit: 1,
  });
  assert.deepEqual([found?.id, found?.content, others], [sent.id, 'Edited', []]);
  assert.equal((await palaver.messageDelete({ messageId: sent.id })).id, sent.id);
  await assert.rejects(palaver.messageById({ messageId: sent.id }), {
    name: 'PalaverError',
    code: 'NOT_FOUND',
    status: 404,
    attempts: 1,
  });
});

test('an identifier that is in both the path and the body is passed once', async () => {
  const { id } = await palaver.indicatorInsert({ type: 'typing', channelId });
  assert.equal((await palaver.indicatorUpdate({ id })).id, id);
});

test("an error has the server's code, details, message and request id", async () => {
  await assert.rejects(palaver.messageSend({ channelId, content: '' }), (error: Json) => {
    assert.equal(error.code, 'INVALID_REQUEST');
    assert.equal(error.details[0].path, 'content');
    assert.deepEqual(error.problems, error.details);
    assert.equal(error.problems[0].reason, 'blank');
    assert.match(error.message, /^content/);
    assert.match(error.requestId, /\w/);
    return true;
  });
  const stranger = createPalaver({ baseUrl: world.url, key: 'none' });
  await assert.rejects(stranger.userServers(), { code: 'INVALID_API_KEY', status: 401, problems: [] });
});

test('a list is read page by page', async () => {
  const { id } = await palaver.channelInsert({ name: 'long' });
  const all = Array.from({ length: 7 }, (_, index) => `message ${index}`);
  for (const content of all) await palaver.messageSend({ channelId: id, content });

  const list = palaver.channelMessages({ channelId: id, limit: 3, order: 'asc' });
  const page = await list;
  assert.deepEqual(
    page.map(({ content }) => content),
    all.slice(0, 3),
  );
  assert.equal(typeof page.nextCursor, 'string');
  const contents: string[] = [];
  for await (const { content } of list) contents.push(content);
  assert.deepEqual(contents, all);

  const rest = await palaver.channelMessages({
    channelId: id,
    limit: 100,
    order: 'asc',
    cursor: page.nextCursor as string,
  });
  assert.deepEqual([rest.length, rest.nextCursor], [4, null]);
});

test('pages and single records contain expanded records, and pages around a message contain cursors', async () => {
  const { id: userId } = await palaver.userMe();
  const { id: place } = await palaver.channelInsert({ name: 'expanded' });
  const message = await palaver.messageSend({ channelId: place, content: 'Hello' });
  const page = await palaver.channelMessages({ channelId: place, around: message.id, expand: 'creator' });
  assert.equal(page.previousCursor, null);
  assert.equal(page.expanded?.users[userId]?.id, userId);
  assert.equal(page.length, 1);
  const one = await palaver.messageById({ messageId: message.id, expand: 'creator' });
  assert.equal(one.expanded?.users[userId]?.id, userId);
  const plain = await palaver.messageById({ messageId: message.id });
  assert.ok(!('expanded' in plain));
  assert.deepEqual(await palaver.messageDeleteMany({ channelId: place, ids: [message.id] }), {
    channelId: place,
    ids: [message.id],
  });
});

test('a list requests nothing until it is used, and only the pages that are used', async () => {
  let requests = 0;
  const counting = createPalaver({
    baseUrl: world.url,
    key: client.key,
    fetch: (request, init) => {
      requests++;
      return fetch(request, init);
    },
  });
  const list = counting.serverMembers({ serverId: server.id, limit: 1 });
  await new Promise((resolve) => setTimeout(resolve, 10));
  assert.equal(requests, 0);
  for await (const _member of list) break;
  await list;
  assert.equal(requests, 1);
});

test('iterating over a thread yields its messages', async () => {
  const { id } = await palaver.threadInsert({ channelId, name: 'Plans' });
  await palaver.messageSend({ threadId: id, content: 'First' });
  await palaver.messageSend({ threadId: id, content: 'Second' });
  const list = palaver.threadWithMessages({ threadId: id });
  assert.equal((await list).name, 'Plans');
  const contents: string[] = [];
  for await (const { content } of list) contents.push(content);
  assert.deepEqual(contents, ['First', 'Second']);
});

test('a failed list rejects like any promise', async () => {
  const list = palaver.channelMessages({ channelId: 'none' });
  let ended = 0;
  assert.equal(await list.catch((error: Json) => error.code), 'NOT_FOUND');
  await assert.rejects(list.finally(() => ended++));
  assert.equal(ended, 1);
});

test('a request whose response is lost is retried, and the message exists once', async () => {
  let isFirst = true;
  const unlucky = createPalaver({
    baseUrl: world.url,
    key: client.key,
    async fetch(request, init) {
      const response = await fetch(request, init);
      if (!isFirst) return response;
      isFirst = false;
      await response.body?.cancel();
      throw new TypeError('the connection was reset');
    },
  });
  const { id } = await palaver.channelInsert({ name: 'unlucky' });
  const sent = await unlucky.messageSend({ channelId: id, content: 'Once' });
  const messages = await palaver.channelMessages({ channelId: id });
  assert.deepEqual(
    messages.map((message) => message.id),
    [sent.id],
  );
});

test('raw responses keep their headers and envelope', async () => {
  const { data, response } = await palaver.GET('/api/v1/servers');
  assert.equal(data?.ok, true);
  assert.equal(data?.data[0]?.id, server.id);
  assert.ok(response.headers.get('x-request-id'));
});

test('every endpoint in the document has a method, except the event stream and file contents', async () => {
  const document: Json = await (await fetch(`${world.url}/openapi.json`)).json();
  const paths = Object.entries<Record<string, Json>>(document.paths);
  // Incoming webhooks have no method, and neither do endpoints for people, which take a browser's cookie.
  const names = paths.flatMap(([path, methods]) =>
    Object.values(path.startsWith('/api/v1/') ? methods : {}).map(({ operationId }) => operationId),
  );
  const bytes = [
    ...['attachmentContent', 'attachmentInsert', 'emojiInsert', 'exportContent', 'pictureContent'],
    ...['channelImageUpload', 'serverBannerUpload', 'serverIconUpload', 'userImageUpload'],
  ];
  const called = names.filter((name) => !bytes.includes(name));
  assert.deepEqual(Object.keys(operations).sort(), called.filter((name) => name !== 'events').sort());
  for (const name of called) assert.equal(typeof palaver[name as keyof Palaver], 'function', name);
});
