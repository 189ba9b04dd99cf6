import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { exactly, textOf } from '../support/exact.ts';
import { dataOf } from '../support/expect.ts';
import { openReading, type ReadingStage, read, say } from '../support/reading.ts';
import { type Json, TestClock, World } from '../support/world.ts';

const clock = new TestClock();
let world: World;
before(async () => {
  world = await World.open({ clock, limits: { '*': 0 } });
});
after(() => world.close());

/** Enough channels for a response whose list is compressed row by row. */
const CHANNELS = 90;

type Six = [string, string, string, string, string, string];

/** Creates many channels, the first six with different reading states, and a direct message. */
async function differingChannels({ scene, browser, ada, other }: ReadingStage) {
  const ids: string[] = [];
  for (let number = 0; number < CHANNELS; number++) ids.push((await scene.channel()).id);
  const [marked, loud, muted, left, favorite, unread] = ids as Six;
  const [first] = await say(clock, other, marked, 'one', 'two', 'three');
  await say(clock, other, loud, ...Array.from({ length: 12 }, () => `@${ada.username}`));
  const direct = dataOf(await browser.api.post('/conversations', { userIds: [scene.owner.id] }));
  for (const set of [
    read(browser, { channelId: marked, messageId: (first as Json).id }),
    browser.patch('/reading/level', { channelId: muted, level: 'nothing', mutedUntil: clock.now() + 60_000 }),
    browser.patch('/reading/channel', { channelId: left, hidden: true }),
    browser.patch('/reading/channel', { channelId: favorite, favorite: true }),
    browser.post('/reading/unread', { channelId: unread, messageId: (first as Json).id }),
  ])
    dataOf(await set);
  return { ids, first: first as Json, direct };
}

test('the reading state is the same in every coding, with one ETag, whatever differs between its rows', async () => {
  const { scene, browser, ada, other } = await openReading(world, clock);
  const { ids, first, direct } = await differingChannels({ scene, browser, ada, other });
  const [marked, loud, muted, left, favorite, unread] = ids as Six;
  const get = (accepted: string, more: Record<string, string> = {}) => {
    const headers = {
      cookie: browser.cookie,
      'palaver-server': scene.server.id,
      'accept-encoding': accepted,
    };
    return exactly(`${world.url}/api/people/reading`, { ...headers, ...more });
  };
  const plain = await get('identity');
  const { data } = JSON.parse(plain.bytes.toString());
  const sorted = (data.channels as Json[]).map(({ channelId }) => channelId as string);
  assert.deepEqual(sorted, sorted.toSorted());
  assert.ok(sorted.includes(direct.id) && ids.every((id) => sorted.includes(id)));
  const rowOf = (id: string) => data.channels.find(({ channelId }: Json) => channelId === id);
  const { messageId: joined } = rowOf(ids[20] as string);
  const usual = {
    unreadAt: 0,
    unread: 0,
    mentions: 0,
    level: null,
    mutedUntil: null,
    favorite: false,
    hidden: false,
  };
  const expected: Record<string, object> = {
    [ids[20] as string]: usual,
    [marked]: { messageId: first.id, unread: 2 },
    [loud]: { unread: 12, mentions: 12 },
    [muted]: { level: 'nothing', mutedUntil: clock.now() + 60_000 },
    [left]: { hidden: true },
    [favorite]: { favorite: true },
    [unread]: { messageId: rowOf(unread).messageId, unreadAt: rowOf(unread).unreadAt },
  };
  assert.ok(rowOf(unread).unreadAt > 0);
  for (const [channelId, fields] of Object.entries(expected))
    assert.deepEqual(rowOf(channelId), { channelId, messageId: joined, ...usual, ...fields });
  const tag = plain.headers.etag as string;
  for (const accepted of ['gzip', 'br', 'zstd']) {
    const given = await get(accepted);
    assert.equal(given.headers['content-encoding'], accepted);
    assert.equal(textOf(given), plain.bytes.toString(), accepted);
    assert.ok(given.bytes.length < plain.bytes.length / 3, accepted);
    assert.equal(given.headers.etag, tag);
    assert.equal((await get(accepted, { 'if-none-match': tag })).status, 304);
  }
  await say(clock, other, marked, 'four');
  assert.notEqual((await get('gzip', { 'if-none-match': tag })).headers.etag, tag);
});
