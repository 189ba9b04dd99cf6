import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Browser } from '../support/account.ts';
import { countedReads } from '../support/countedReads.ts';
import { addMessages } from '../support/crowds.ts';
import { exactly, textOf } from '../support/exact.ts';
import { assertRefused, dataOf, idsOf } from '../support/expect.ts';
import { Scene } from '../support/scene.ts';
import { type Json, World } from '../support/world.ts';

let world: World;
let scene: Scene;
before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
});
after(() => world.close());

/** A member of the scene's server, in a browser. */
async function member(...roles: Json[]): Promise<{ user: Json; browser: Browser }> {
  const user = await world.user();
  await world.member(scene.server, user);
  for (const { id: roleId } of roles) await scene.make('/user-roles', { userId: user.id, roleId });
  return { user, browser: await Browser.of(world, user, scene.server) };
}

const snapshotPath = () => `/servers/${scene.server.id}/snapshot`;

test("a snapshot matches the lists and records, and includes the caller's roles and flags", async () => {
  const inside = await scene.role({ canModerate: true });
  const closed = await scene.channel({ private: true, roleIds: [inside.id], position: 3 });
  await scene.channel({ private: true });
  await scene.channel({ position: 1 });
  const { user, browser } = await member(inside);
  const shown = dataOf(await browser.get(snapshotPath()));
  assert.deepEqual(Object.keys(shown).sort(), [
    ...[
      'categories',
      'channels',
      'conversations',
      'cursor',
      'emoji',
      'limits',
      'member',
      'reading',
      'roles',
      'server',
      'standing',
      'user',
    ],
  ]);
  const { api } = browser;
  const { id } = scene.server;
  assert.deepEqual(shown.server, dataOf(await api.get(`/servers/${id}`)));
  assert.deepEqual(shown.channels, dataOf(await api.get(`/servers/${id}/channels?limit=100`)));
  assert.ok(idsOf(shown.channels).includes(closed.id));
  assert.deepEqual(shown.roles, dataOf(await api.get(`/servers/${id}/roles?limit=100`)));
  assert.deepEqual(shown.user, dataOf(await api.get(`/users/${user.id}`)));
  assert.deepEqual([shown.member.userId, shown.member.nickname], [user.id, null]);
  const { threads: _, ...reading } = dataOf(await browser.get('/reading'));
  assert.deepEqual(shown.reading, reading);
  assert.equal(shown.cursor, await scene.cursor());
  assert.deepEqual([shown.limits.message, shown.limits.view], [0, 0], 'the limits of this node');
  const { flags, roleIds, isServerCreator } = dataOf(await browser.get('/me'));
  assert.deepEqual(shown.standing, {
    ...{ userId: user.id, userType: 'person', platformAdmin: false, serverId: id },
    ...{ isServerCreator, roleIds, flags, ownFlags: flags },
  });
});

test('the creator gets all channels, and the flags that canAdmin implies in addition to their own', async () => {
  const hidden = await scene.channel({ private: true });
  const creator = await Browser.of(world, scene.owner);
  const { standing, channels } = dataOf(await creator.get(snapshotPath()));
  assert.equal(standing.isServerCreator, true);
  assert.ok(idsOf(channels).includes(hidden.id));
  assert.ok(standing.ownFlags.includes('canAdmin') && !standing.ownFlags.includes('canEditApp'));
  assert.ok(standing.flags.includes('canEditApp'));
});

test('a snapshot is for members, whichever server their session acts in', async () => {
  const { user, browser } = await member();
  browser.place = 'none';
  dataOf(await browser.get(snapshotPath()));
  browser.place = (await Scene.open(world)).server.id;
  dataOf(await browser.get(snapshotPath()));
  const stranger = await Browser.of(world, await world.user(), scene.server);
  assertRefused(await stranger.get(snapshotPath()), 'FORBIDDEN', 'even though the server is public');
  for (const id of ['none', world.unique(), user.id])
    assertRefused(await browser.get(`/servers/${id}/snapshot`), 'NOT_FOUND');
  const list = dataOf(await scene.admin.get(`/servers/${scene.server.id}/members?limit=100`));
  const { id } = list.find(({ userId }: Json) => userId === user.id);
  await scene.remove(`/server-members/${id}`);
  assertRefused(await browser.get(snapshotPath()), 'FORBIDDEN', 'no longer a member');
});

test('an unchanged snapshot is not sent again', async () => {
  const { browser } = await member();
  const first = await browser.get(snapshotPath());
  const tag = first.headers.get('etag') as string;
  const again = await browser.get(snapshotPath(), { 'if-none-match': tag });
  assert.equal(again.status, 304);
  await scene.channel();
  const changed = await browser.get(snapshotPath(), { 'if-none-match': tag });
  assert.equal(changed.status, 200);
});

test('the shared part of a large snapshot is compressed once for all clients', async () => {
  const large = await Scene.open(world);
  const { id } = large.server;
  const [one, other] = [await world.user(), await world.user()];
  for (const user of [one, other]) await world.member(large.server, user);
  for (let number = 0; number < 60; number++) await large.channel({ description: 'x'.repeat(300) });
  const get = async (user: Json, accepted: string, more: Record<string, string> = {}, method = 'GET') => {
    const { cookie } = await Browser.of(world, user, large.server);
    const headers = { cookie, 'palaver-server': id, 'accept-encoding': accepted, ...more };
    return exactly(`${world.url}/api/people/servers/${id}/snapshot`, headers, { method });
  };
  for (const user of [one, other]) {
    const plain = await get(user, 'identity');
    assert.equal(plain.headers['content-encoding'], undefined);
    const { data } = JSON.parse(plain.bytes.toString());
    assert.equal(data.user.id, user.id);
    assert.ok(data.channels.length >= 60 && data.reading.channels.length === data.channels.length);
    const tag = plain.headers.etag as string;
    for (const [accepted, expected] of [
      ['gzip', 'gzip'],
      ['gzip, deflate', 'gzip'],
      ['br', 'br'],
      ['gzip, br, zstd', 'zstd'],
      ['gzip;q=0, br', 'br'],
    ] as const) {
      const given = await get(user, accepted);
      assert.equal(given.headers['content-encoding'], expected, accepted);
      assert.equal(textOf(given), plain.bytes.toString(), accepted);
      assert.ok(given.bytes.length < plain.bytes.length / 4, accepted);
      assert.equal(given.headers.etag, tag);
      assert.match(given.headers.vary ?? '', /accept-encoding/);
    }
    const { status, bytes } = await get(user, 'gzip', { 'if-none-match': tag });
    assert.deepEqual([status, bytes.length], [304, 0]);
    assert.deepEqual((await get(user, 'gzip', {}, 'HEAD')).bytes.length, 0);
  }
});

test("a view includes the messages with authors, the user's own reactions, threads and pins", async () => {
  const channel = await scene.channel();
  const { user, browser } = await member();
  const other = await member();
  const first = await scene.message({ channelId: channel.id });
  const second = dataOf(await browser.api.post('/messages', { channelId: channel.id, content: 'Hi' }));
  const own = dataOf(await browser.api.post('/reactions', { messageId: first.id, emoji: '👍' }));
  dataOf(await other.browser.api.post('/reactions', { messageId: first.id, emoji: '👍' }));
  const pin = await scene.make('/pins', { messageId: second.id });
  const thread = await scene.thread({ messageId: first.id, name: 'Aside' });
  const reply = await scene.message({ threadId: thread.id });
  const path = `/channels/${channel.id}/view`;
  const shown = dataOf(await browser.get(path));
  const listed = dataOf(await browser.api.get(`/channels/${channel.id}/messages`));
  assert.deepEqual(shown.messages, listed.toReversed());
  assert.deepEqual(idsOf(shown.users).sort(), [user.id, scene.owner.id].sort());
  assert.deepEqual(shown.reactions, [
    { id: own.id, messageId: first.id, emoji: '👍', createdAt: own.createdAt, updatedAt: own.updatedAt },
  ]);
  assert.deepEqual(shown.threads, dataOf(await browser.api.get(`/channels/${channel.id}/threads`)));
  assert.equal(shown.threads[0].replyCount, 1);
  assert.deepEqual(
    shown.pins.map(({ id, messageId, creatorId }: Json) => [id, messageId, creatorId]),
    [[pin.id, second.id, scene.owner.id]],
  );
  assert.deepEqual([shown.before, shown.after, shown.cursor], [null, null, await scene.cursor()]);
  assert.deepEqual(idsOf(dataOf(await browser.get(`${path}?isThreadReply=false`)).messages), [
    first.id,
    second.id,
  ]);
  assert.deepEqual(idsOf(dataOf(await browser.get(`${path}?isThreadReply=true`)).messages), [reply.id]);
});

test("windows around, before and after a message lead to the channel's start and end", async () => {
  const channel = await scene.channel();
  const ids: string[] = [];
  for (let number = 0; number < 12; number++)
    ids.push((await scene.message({ channelId: channel.id, content: `${number}` })).id);
  const { browser } = await member();
  const view = async (query: string): Promise<Json> =>
    dataOf(await browser.get(`/channels/${channel.id}/view?limit=3${query}`), query);
  const latest = await view('');
  assert.deepEqual([idsOf(latest.messages), latest.after], [ids.slice(9), null]);
  const upwards = [...latest.messages];
  for (let { before } = latest; before !== null; ) {
    const shown = await view(`&before=${before}`);
    assert.notEqual(shown.after, null);
    upwards.unshift(...shown.messages);
    before = shown.before;
  }
  assert.deepEqual(idsOf(upwards), ids);
  const around = await view(`&around=${ids[5]}`);
  assert.deepEqual(idsOf(around.messages), ids.slice(4, 7));
  const downwards = [...around.messages];
  for (let { after } = around; after !== null; ) {
    const shown = await view(`&after=${after}`);
    downwards.push(...shown.messages);
    after = shown.after;
  }
  assert.deepEqual(idsOf(downwards), ids.slice(4));
  assert.equal((await view(`&after=${ids[11]}`)).messages.length, 0);
  const end = await view(`&after=${ids[8]}`);
  assert.deepEqual([idsOf(end.messages), end.after], [ids.slice(9), null]);
  assert.deepEqual(idsOf((await view(`&before=${end.before}`)).messages), ids.slice(6, 9));
  assert.deepEqual(idsOf((await view(`&before=${ids[1]}`)).messages), ids.slice(0, 1));
  const alone = dataOf(await browser.get(`/channels/${channel.id}/view?limit=1&around=${ids[5]}`));
  assert.deepEqual([idsOf(alone.messages), alone.after !== null], [[ids[5]], true]);

  await scene.remove(`/messages/${ids[5]}`);
  const gone = await view(`&around=${ids[5]}`);
  assert.deepEqual(idsOf(gone.messages), [ids[3], ids[4], ids[6]], 'the position of a deleted message');
  for (const wrong of [`&before=${ids[1]}&after=${ids[2]}`, '&around=somewhere', '&limit=101'])
    assertRefused(await browser.get(`/channels/${channel.id}/view?limit=3${wrong}`), 'INVALID_REQUEST');
});

test('a view is only for callers who see the channel', async () => {
  const closed = await scene.channel({ private: true });
  const { browser } = await member();
  assertRefused(await browser.get(`/channels/${closed.id}/view`), 'FORBIDDEN');
  assertRefused(await browser.get('/channels/none/view'), 'NOT_FOUND');
  assertRefused(
    await world.request('GET', `${world.url}/api/people/channels/${closed.id}/view`, {
      headers: { authorization: `Bearer ${scene.admin.key}` },
    }),
    'UNAUTHORIZED',
    'keys read /api/v1',
  );
});

test('views and snapshots take the same number of statements for a hundred messages and channels as for two', async () => {
  const { browser } = await member();
  const small = await scene.channel();
  const large = await scene.channel();
  for (const [channel, amount] of [
    [small, 2],
    [large, 100],
  ] as const)
    for (let number = 0; number < amount; number++) {
      const client = await (number % 10 === 0 ? world.client(scene.server, ['canEditData']) : scene.admin);
      const { id: messageId } = await scene.make(
        '/messages',
        { channelId: channel.id, content: 'x' },
        client,
      );
      if (number % 5 === 0) await scene.make('/threads', { messageId });
      if (number % 7 === 0) await scene.make('/pins', { messageId });
    }
  const statements = await countedReads(world, async (count) => {
    const amounts: number[] = [];
    // Caches the session.
    await browser.get('/me');
    /** Takes the minimum of three, because the node itself reads occasionally. */
    const countOf = async (path: string): Promise<void> => {
      const times: number[] = [];
      // The first read fills the cache.
      dataOf(await browser.get(path));
      for (let time = 0; time < 3; time++) {
        const before = count();
        dataOf(await browser.get(path));
        times.push(count() - before);
      }
      amounts.push(Math.min(...times));
    };
    for (const { id } of [small, large]) await countOf(`/channels/${id}/view?limit=100`);
    await countOf(snapshotPath());
    for (let number = 0; number < 30; number++) await scene.channel();
    await countOf(snapshotPath());
    return amounts;
  });
  const [few, many, first, second] = statements as [number, number, number, number];
  assert.equal(many, few, 'statements for a view');
  assert.equal(second, first, 'statements for a snapshot');
  assert.ok(few > 0 && few <= 9 && first > 0 && first <= 15, String(statements));
});

test('the size of snapshots and views does not grow with the number of members and messages', async () => {
  const { browser } = await member();
  const channel = await scene.channel();
  /**
   * The sizes of the snapshot and the view. The texts of the newest messages differ in length by only a few digits.
   */
  const sizes = async (): Promise<number[]> => {
    const read = [];
    for (const path of [snapshotPath(), `/channels/${channel.id}/view?limit=50`])
      read.push(JSON.stringify(dataOf(await browser.get(path))).length);
    return read;
  };
  await addMessages(world, channel, scene.owner.id, 200);
  const before = await sizes();
  for (let number = 0; number < 100; number++) await world.member(scene.server, await world.user());
  await addMessages(world, channel, scene.owner.id, 1_000);
  const after = await sizes();
  for (const [index, size] of after.entries())
    assert.ok(Math.abs(size - (before[index] as number)) < 100, `${before} bytes, and then ${after}`);
});
