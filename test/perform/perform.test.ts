import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Caller, present } from '../../server/src/access/authenticator.ts';
import { servicesOf } from '../../server/src/app.ts';
import type { Answer, RawInput } from '../../server/src/operations/operation.ts';
import { perform } from '../../server/src/operations/perform.ts';
import type { ReadOperation } from '../../server/src/operations/read.ts';
import type { Services } from '../../server/src/operations/services.ts';
import { operator, workIn } from '../../server/src/operations/work.ts';
import type { WriteOperation } from '../../server/src/operations/write.ts';
import { operations } from '../../server/src/resources/index.ts';
import { EventStream } from '../support/eventStream.ts';
import { endOf, logOf } from '../support/log.ts';
import { Scene } from '../support/scene.ts';
import { limitsFrom } from '../support/sources.ts';
import { type Client, type Json, World } from '../support/world.ts';

// Operations called in process, without HTTP. They run the same steps and return the same refusals and
// events.

let world: World;
let scene: Scene;
let services: Services;
let caller: Caller;
before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
  services = servicesOf({ ...world.data, feed: world.feed, limits: limitsFrom({}) });
  caller = await callerOf(scene.admin);
});
after(() => world.close());

const callerOf = async ({ key }: Client): Promise<Caller> =>
  services.authenticator.authenticate(present('apiKey', key));

const rowOf = (name: string) =>
  operations.find(({ operation }) => operation === name) as ReadOperation | WriteOperation;

const run = (name: string, input: RawInput, key?: string, by = caller): Promise<Answer> =>
  perform(services, rowOf(name), by, input, { key });

const data = ({ data, text }: Answer): Json => data ?? JSON.parse(String(text)).data;

test('a write in process produces the same record, event and stream as over HTTP', async () => {
  const { id: channelId } = await scene.channel();
  const stream = await EventStream.open(world, scene.admin.key);
  const sent = data(await run('messageSend', { body: { channelId, content: 'From within' } }));
  const event = await stream.event(({ data }) => data.id === sent.id);
  stream.close();
  assert.deepEqual([event.type, event.actorId], ['message.created', scene.owner.id]);
  const read = data(await run('messageById', { params: { messageId: sent.id } }));
  assert.deepEqual(read, (await scene.admin.get(`/messages/${sent.id}`)).data);
});

test('a list in process continues from its cursor, which HTTP accepts too', async () => {
  const { id: channelId } = await scene.channel();
  for (let index = 0; index < 3; index++) await scene.message({ channelId, content: `Number ${index}` });
  const params = { channelId };
  const first = await run('channelMessages', { params, query: { limit: 2 } });
  const cursor = first.nextCursor as string;
  const second = await run('channelMessages', { params, query: { limit: 2, cursor } });
  assert.deepEqual([data(first).length, data(second).length, second.nextCursor], [2, 1, null]);
  const over = await scene.admin.get(`/channels/${channelId}/messages?limit=2&cursor=${cursor}`);
  assert.deepEqual(over.data, data(second));
});

test('input and permissions are checked as over HTTP', async () => {
  const { id: channelId } = await scene.channel();
  const nobody = await callerOf(await world.client(scene.server, []));
  const refusals: [() => Promise<Answer>, string][] = [
    [() => run('messageSend', { body: { channelId, content: 5 } }), 'INVALID_REQUEST'],
    [() => run('messageSend', { body: { channelId, content: 'half \ud800' } }), 'INVALID_REQUEST'],
    [() => run('messageSend', { body: { channelId: 'none', content: 'x' } }), 'NOT_FOUND'],
    [() => run('messageSend', { body: { channelId, content: 'x' } }, undefined, nobody), 'FORBIDDEN'],
    [() => run('messageById', { params: { messageId: 'none' } }), 'NOT_FOUND'],
    [() => run('channelMessages', { params: { channelId }, query: { limit: 101 } }), 'INVALID_REQUEST'],
  ];
  for (const [refused, code] of refusals) await assert.rejects(refused(), { code });
});

test('an Idempotency-Key makes a write repeatable, in process and over HTTP alike', async () => {
  const { id: channelId } = await scene.channel();
  const body = { channelId, content: 'Once' };
  const first = await run('messageSend', { body }, 'one key');
  const again = await run('messageSend', { body }, 'one key');
  assert.deepEqual([first.isReplayed, again.isReplayed], [undefined, true]);
  assert.equal(data(again).id, data(first).id);
  const over = await scene.admin.post('/messages', body, { 'idempotency-key': 'one key' });
  assert.deepEqual([over.data.id, over.headers.get('idempotency-replayed')], [data(first).id, 'true']);
});

/** Runs operations inside one write. With `fails`, the write throws after them. */
const within = (inputs: [string, RawInput][], fails = false): Promise<Json[]> =>
  world.data.db.write(async (tx) => {
    const work = workIn(tx, services, operator);
    const made: Json[] = [];
    for (const [name, input] of inputs)
      made.push(data(await perform(services, rowOf(name), caller, input, { within: work })));
    if (fails) throw new Error('after all');
    await work.pending.append(tx, services.deps);
    return made;
  }, scene.server.id);

test('operations inside a running write share its transaction and see its changes', async () => {
  const begin = await endOf(world, scene.server.id);
  const { id: channelId } = await scene.channel();
  const [message] = await within([['messageSend', { body: { channelId, content: 'First' } }]]);
  const [thread, reply] = await within([
    ['threadInsert', { body: { messageId: message.id } }],
    ['messageSave', { params: { id: message.id }, body: { content: 'Changed' } }],
  ]);
  assert.equal(thread.messageId, message.id);
  assert.equal(reply.content, 'Changed');
  const log = await logOf(world, scene.server.id, begin);
  assert.deepEqual(
    log.map(({ type, actorId }) => [type, actorId]),
    ['channel.created', 'message.created', 'thread.created', 'message.updated'].map((type) => [
      type,
      scene.owner.id,
    ]),
  );
});

test('a failing write rolls back all operations inside it, and their events', async () => {
  const { id: channelId } = await scene.channel();
  const begin = await endOf(world, scene.server.id);
  const body = { channelId, content: 'Never' };
  await assert.rejects(within([['messageSend', { body }]], true), /after all/);
  assert.deepEqual(await logOf(world, scene.server.id, begin), []);
  assert.deepEqual((await scene.admin.get(`/channels/${channelId}/messages`)).data, []);
});
