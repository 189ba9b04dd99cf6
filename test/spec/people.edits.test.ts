import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Browser } from '../support/account.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { Scene } from '../support/scene.ts';
import { remove } from '../support/sources.ts';
import { type Json, World } from '../support/world.ts';

// Tests the edit history of a message.

let world: World;
let scene: Scene;
let browser: Browser;
before(async () => {
  world = await World.open({ limits: { '*': 0 } });
  scene = await Scene.open(world);
  const user = await world.user();
  await world.member(scene.server, user);
  dataOf(await scene.admin.patch(`/servers/${scene.server.id}`, { editHistory: 'everyone' }));
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

test('a long history is read page by page, with a limit', async () => {
  const message = await scene.message({ content: 'version 0' });
  for (let number = 1; number <= 205; number++) await edit(message, `version ${number}`);
  const found: string[] = [];
  for (let after: string | null = ''; after !== null; ) {
    const page: Json = await editsOf(message, after === '' ? '' : `?after=${after}`);
    assert.ok(page.versions.length <= 50);
    assert.equal(page.hasFirst, true);
    found.push(...contents(page));
    after = page.after;
  }
  const latest = Array.from({ length: 200 }, (_, index) => `version ${index + 6}`);
  assert.deepEqual(found, ['version 0', ...latest]);
});

test('the history indicates if the original is unknown', async () => {
  const message = await scene.message({ content: 'forgotten' });
  await edit(message, 'kept');
  const { id: messageId, createdAt: at } = message;
  await world.data.db.write((tx) => tx.run(remove('messageVersion', { messageId, at })));
  const history = await editsOf(message);
  assert.deepEqual([contents(history), history.hasFirst], [['kept'], false]);
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
