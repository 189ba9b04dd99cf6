import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertAlike as assertBothAlike, timeOf, typical } from '../support/alike.ts';
import { fillChannel } from '../support/messages.ts';
import { Scene } from '../support/scene.ts';
import { q, update } from '../support/sources.ts';
import { type Client, type Json, World } from '../support/world.ts';

/** Number of messages in the private channel. Each contains the word `the`, and none contains `layoffs`. */
const MESSAGES = 20_000;

let world: World;
let scene: Scene;
let secret: Json;
let empty: Json;
let stranger: Client;
let outsider: Client;

before(async () => {
  world = await World.open({ quotas: { metaBytes: 0, configBytes: 0 } });
  scene = await Scene.open(world);
  secret = await scene.channel({ private: true });
  empty = await scene.channel({ private: true });
  const content = 'the thing that they told them then';
  await fillChannel(world, secret, scene.owner.id, MESSAGES, async (tx) => {
    await tx.run(q.updateTable('message').set({ content }));
  });
  stranger = (await Scene.open(world)).admin;
  outsider = await world.client(scene.server, ['canEditData', 'canViewData']);
  // The first searches index the messages.
  for (const query of ['q=the', 'q=layoffs']) await scene.admin.get(`${pathOf(secret)}?${query}`);
});
after(() => world.close());

const pathOf = ({ id }: Json): string => `/channels/${id}/messages`;

/** Asserts that two reads are refused after about the same time. */
const assertAlike = (client: Client, paths: [string, string], what: string) =>
  assertBothAlike(what, (side) => client.get(paths[side]));

test('the duration of a denied search reveals nothing about the words in the channel', async () => {
  const found = `${pathOf(secret)}?q=t+th+the+they+them+then+that&limit=100`;
  const missing = `${pathOf(secret)}?q=layoffs&limit=100`;
  for (const client of [stranger, outsider]) {
    await assertAlike(client, [found, missing], 'words that occur, and one that does not');
    await assertAlike(client, [found, `${pathOf(empty)}?q=the`], 'a full channel and an empty one');
  }
});

test('the duration of a denied page reveals nothing about the number and length of its messages', async () => {
  const long = await scene.channel({ private: true });
  const message = await scene.message({ channelId: long.id });
  const thread = await scene.make('/threads', { messageId: message.id });
  const short = await scene.make('/threads', { channelId: empty.id });
  await fillChannel(world, long, scene.owner.id, 300, async (tx, ids) => {
    const content = 'x'.repeat(8_000);
    for (const id of ids) await tx.run(update('message', id, { content, threadId: thread.id }));
  });
  const pairs: [string, string][] = [
    [`${pathOf(long)}?limit=100`, `${pathOf(empty)}?limit=100`],
    [`${pathOf(long)}?limit=100&order=asc`, `${pathOf(empty)}?limit=100&order=asc`],
    [`${pathOf(long)}?limit=100&type=person`, `${pathOf(empty)}?limit=100&type=person`],
    [`/channels/${long.id}/pins`, `/channels/${empty.id}/pins`],
    [`/threads/${thread.id}`, `/threads/${short.id}`],
  ];
  for (const pair of pairs) {
    for (const client of [stranger, outsider]) await assertAlike(client, pair, pair[0]);
  }
});

test('the duration of a refusal reveals nothing about the size of an app or its settings', async () => {
  const large = 'x'.repeat(200_000);
  const apps = [await scene.app({ meta: [large] }), await scene.app({ meta: [] })];
  const installs: Json[] = [];
  for (const app of apps) {
    const config = app === apps[0] ? { large } : {};
    installs.push(await scene.make('/app-installs', { appId: app.id, config }));
  }
  const blind = await world.client(scene.server, []);
  const pathsOf = (noun: string, records: Json[]) =>
    records.map(({ id }) => `/${noun}/${id}`) as [string, string];
  await assertAlike(stranger, pathsOf('apps', apps), 'apps');
  for (const client of [stranger, blind]) {
    await assertAlike(client, pathsOf('app-installs', installs), 'installs');
  }
});

test('sixty concurrent denied searches do not delay other requests', async () => {
  const page = `/channels/${empty.id}`;
  const alone = typical(
    await Promise.all(Array.from({ length: 20 }, () => timeOf(() => scene.admin.get(page), 200))),
  );
  const refused = Array.from({ length: 60 }, () =>
    timeOf(() => stranger.get(`${pathOf(secret)}?q=t+th+the+they+them+then+that`), 403),
  );
  const meanwhile = await timeOf(() => scene.admin.get(page), 200);
  await Promise.all(refused);
  assert.ok(
    meanwhile < 250 + 10 * alone,
    `it took ${meanwhile.toFixed(0)} ms, and ${alone.toFixed(0)} ms alone`,
  );
});
