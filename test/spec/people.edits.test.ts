import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Browser } from '../support/account.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { Scene } from '../support/scene.ts';
import { q } from '../support/sources.ts';
import { type Json, World } from '../support/world.ts';

// Tests the edit history of a message, which is read from the event log.

let world: World;
let scene: Scene;
let browser: Browser;
before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
  const user = await world.user();
  await world.member(scene.server, user);
  browser = await Browser.of(world, user, scene.server);
});
after(() => world.close());

const edit = async (message: Json, content: string): Promise<Json> =>
  dataOf(await scene.admin.patch(`/messages/${message.id}`, { content }));
const editsOf = async (message: Json, query = ''): Promise<Json> =>
  dataOf(await browser.get(`/messages/${message.id}/edits${query}`));
const contents = ({ versions }: Json): string[] => versions.map(({ content }: Json) => content);

test('the history lists each content once, with its time and editor; reactions, pins and replies are not edits', async () => {
  const message = await scene.message({ content: 'first' });
  const shown: Json[] = [];
  for (const content of ['second', 'third']) {
    await edit(message, content);
    shown.push(dataOf(await scene.admin.get(`/messages/${message.id}`)));
    await scene.make('/reactions', { messageId: message.id, emoji: '👍' });
    const pin = await scene.make('/pins', { messageId: message.id });
    await scene.remove(`/pins/${pin.id}`);
    const answer = await scene.message({ channelId: message.channelId, replyToId: message.id });
    await edit(answer, `answer to ${message.id}`);
    await scene.remove(
      `/reactions/${(dataOf(await scene.admin.get(`/messages/${message.id}/reactions`))[0] as Json).id}`,
    );
  }
  const { versions, ...rest } = await editsOf(message);
  const { userId } = versions[0];
  assert.deepEqual(rest, { hasFirst: true, after: null });
  assert.deepEqual(versions, [
    { content: 'first', at: message.createdAt, userId },
    { content: 'second', at: shown[0]?.editedAt, userId },
    { content: 'third', at: shown[1]?.editedAt, userId },
  ]);
  assert.equal(userId, shown[0]?.creatorId);
});

test('the history of a message that was never edited is its current content', async () => {
  const message = await scene.message({ content: 'only' });
  const { versions, after } = await editsOf(message);
  assert.deepEqual(
    [versions.map(({ content, at }: Json) => [content, at]), after],
    [[['only', message.createdAt]], null],
  );
});

test('a history with many events in between is searched page by page', async () => {
  const channel = await scene.channel();
  const message = await scene.message({ channelId: channel.id, content: 'before all' });
  await edit(message, 'soon after');
  // More events than a single request examines.
  const { seq = 0, epoch = '' } = (await world.data.db.read.first(
    q
      .selectFrom('event')
      .select(['seq', 'epoch'])
      .where('logId', '=', scene.server.id)
      .orderBy('seq', 'desc')
      .limit(1),
  )) as Json;
  const at = Date.now();
  for (let from = seq + 1; from < seq + 41_001; from += 500) {
    const rows = Array.from({ length: 500 }, (_, index) => ({
      ...{
        logId: scene.server.id,
        seq: from + index,
        type: 'channel.updated',
        actorId: null,
        channelId: channel.id,
      },
      ...{ userId: null, lostBy: null, at, data: '{}', metaOf: null, epoch },
    }));
    await world.data.db.write((tx) => tx.run(q.insertInto('event').values(rows as never)));
  }
  await edit(message, 'long after');
  const first = await editsOf(message);
  assert.deepEqual(contents(first), ['before all', 'soon after']);
  assert.equal(typeof first.after, 'string');
  const second = await editsOf(message, `?after=${first.after}`);
  assert.deepEqual([contents(second), second.after], [['long after'], null]);
});

test('the history says so if the start of the log has been removed', async () => {
  const own = await Scene.open(world);
  const message = await own.message({ content: 'forgotten' });
  const me = await world.user();
  await world.member(own.server, me);
  const mine = await Browser.of(world, me, own.server);
  dataOf(await own.admin.patch(`/messages/${message.id}`, { content: 'kept' }));
  await world.data.db.write((tx) =>
    tx.run(q.deleteFrom('event').where('logId', '=', own.server.id).where('type', '=', 'message.created')),
  );
  const { versions, hasFirst } = dataOf(await mine.get(`/messages/${message.id}/edits`));
  assert.deepEqual([contents({ versions }), hasFirst], [['kept'], false]);
});

test('only callers who see the channel can read the history, and only in their server', async () => {
  const closed = await scene.channel({ private: true });
  const message = await scene.message({ channelId: closed.id });
  assertRefused(await browser.get(`/messages/${message.id}/edits`), 'FORBIDDEN');
  const stranger = await Browser.of(world, await world.user());
  assert.ok((await stranger.get(`/messages/${(await scene.message()).id}/edits`)).status >= 400);
  assertRefused(
    await browser.get(`/messages/${(await scene.message()).id}/edits?after=nonsense`),
    'INVALID_REQUEST',
  );
  const gone = await scene.message();
  await scene.remove(`/messages/${gone.id}`);
  assertRefused(await browser.get(`/messages/${gone.id}/edits`), 'NOT_FOUND');
});
