import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { personIn } from '../../client/src/index.ts';
import { keys, type OwnReplica, startReplica } from '../../client/src/replica.ts';
import { Browser } from '../support/account.ts';
import { until } from '../support/process.ts';
import { type Client, type Json, World } from '../support/world.ts';

// The replica as other programs use it: without a page, with a person's session.

let world: World;
let server: Json;
let channelId: string;
let bot: Client;
let browser: Browser;
let replica: OwnReplica;
/** The number of next POST requests that fail before they reach the server. */
let failing = 0;

const withCookie = async (request: Request, init?: RequestInit): Promise<Response> => {
  if (failing > 0 && request.method === 'POST') {
    failing--;
    throw new TypeError('no connection');
  }
  request.headers.set('cookie', browser.cookie);
  return fetch(request, init);
};

before(async () => {
  world = await World.open();
  const user = await world.user({ name: 'Ada' });
  server = await world.server(user);
  bot = await world.client(server, ['canAdmin']);
  channelId = (await bot.post('/channels', { name: 'replica' })).body.data.id;
  await bot.post('/messages', { channelId, content: 'before' });
  browser = await Browser.of(world, user);
  replica = startReplica({ baseUrl: `${world.url}/`, fetch: withCookie });
});
after(async () => {
  replica?.stop();
  await world.close();
});

const contents = () => replica.messages(channelId)?.messages.map(({ content }) => content);

test("the replica has the person's servers, channels and permissions, and a window of messages", async () => {
  await until(() => replica.row('channel', channelId) !== undefined);
  assert.equal(replica.connection().status, 'live');
  assert.equal(replica.row('server', server.id)?.name, server.name);
  assert.equal(replica.state(server.id)?.standing.isServerCreator, true);
  assert.ok(replica.rows('channel', 'serverId', server.id).some(({ id }) => id === channelId));
  assert.equal(replica.messages(channelId), undefined);
  await replica.actions.openChannel(channelId);
  assert.deepEqual(contents(), ['before']);
  assert.deepEqual([replica.messages(channelId)?.atStart, replica.messages(channelId)?.atEnd], [true, true]);
  // The list stays the same object until something changes.
  assert.equal(replica.messages(channelId), replica.messages(channelId));
});

test("the replica applies other users' changes, and notifies listeners", async () => {
  const changes: string[] = [];
  const ends = [
    replica.subscribe(keys.messages(channelId), () => changes.push('messages')),
    replica.subscribe(keys.unread(server.id), () => changes.push('unread')),
  ];
  const types: string[] = [];
  const end = replica.onEvent(({ type }) => types.push(type));
  const { data } = (await bot.post('/messages', { channelId, content: 'during' })).body;
  await until(() => contents()?.includes('during') === true);
  await until(() => replica.channelReading(channelId)?.unread === 2);
  assert.ok(types.includes('message.created'));
  await until(() => changes.includes('messages') && changes.includes('unread'));
  for (const stop of [...ends, end]) stop();

  const edited: number[] = [];
  const stop = replica.subscribe(keys.row('message', data.id), () => edited.push(1));
  await bot.patch(`/messages/${data.id}`, { content: 'edited' });
  await until(() => contents()?.includes('edited') === true);
  stop();
  assert.deepEqual(edited, [1]);
  await bot.delete(`/messages/${data.id}`);
  await until(() => contents()?.includes('edited') === false);
});

test('the replica sends a message once, even if the first attempts fail', async () => {
  failing = 2;
  await replica.actions.send({ serverId: server.id, channelId, content: 'once' });
  assert.deepEqual(
    replica.pending(channelId).map(({ content }) => content),
    ['once'],
  );
  await until(() => replica.pending(channelId).length === 0, 20_000);
  const own = personIn({ baseUrl: world.url, serverId: server.id, fetch: withCookie });
  const found = await own.channelMessages({ channelId, limit: 10 });
  assert.equal(found.filter(({ content }) => content === 'once').length, 1);
  assert.ok(contents()?.includes('once'));
});

test('a malformed token is rejected before anything is started', () => {
  assert.throws(() => startReplica({ baseUrl: world.url, token: 'a\nb' }), TypeError);
});

test('the replica does not follow changes after it was stopped', async () => {
  replica.stop();
  await bot.post('/messages', { channelId, content: 'after' });
  assert.equal(contents()?.includes('after'), false);
});
