import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, test } from 'node:test';
import { Pages } from '../../server/src/resources/message/previews/pages.ts';
import { dataOf } from '../support/expect.ts';
import { html, Site } from '../support/previewSite.ts';
import { until } from '../support/process.ts';
import { Scene } from '../support/scene.ts';
import { q } from '../support/sources.ts';
import { type Json, World } from '../support/world.ts';

/** Servers of the tenant that posts many links. */
const SERVERS = 6;
const paths = Array.from({ length: 20 * SERVERS }, (_, at) => `/slow/${at}`);
const previewTimers = q.selectFrom('timer').select('id').where('kind', '=', 'preview');
/**
 * The maximum number of a tenant's concurrent requests. It is doubled because timed-out requests may still be
 * closing.
 */
const MOST = 2 * 4;
/** The maximum number of a tenant's messages in progress: three quarters of a node's limit. */
const SHARE = 75;

let world: World;
let site: Site;
const held = new Set<ServerResponse>();
let peak = 0;
let isHeld = true;

before(async () => {
  world = await World.open({ limits: { '*': 0 }, timers: true, privateWebhooks: true });
  const slow = (response: ServerResponse): void => {
    if (!isHeld) return void html(response, '<title>Slow</title>');
    held.add(response);
    response.on('close', () => held.delete(response));
    peak = Math.max(peak, held.size);
  };
  site = await Site.open(Object.fromEntries(paths.map((path) => [path, slow])));
});
after(async () => {
  site.close();
  await world.close();
});

async function open(owner: Json): Promise<{ scene: Scene; channel: Json }> {
  const server = await world.server(owner);
  const admin = await world.client(server, ['canAdmin'], owner);
  const scene = new Scene({ world, owner, server, admin });
  dataOf(await admin.patch(`/servers/${server.id}`, { linkPreviews: true }));
  return { scene, channel: await scene.channel() };
}

test('a tenant with many servers gets a single share of the requests for link previews', async () => {
  const owner = await world.user();
  const places = [];
  for (let count = 0; count < SERVERS; count++) places.push(await open(owner));
  const other = await open(await world.user());
  for (const [at, path] of paths.entries()) {
    const { scene, channel } = places[at % SERVERS] as (typeof places)[number];
    await scene.make('/messages', { channelId: channel.id, content: `${site.url}${path}` });
  }
  await until(() => held.size > 0);
  const { messages } = Pages.of(world.data as never);
  await until(() => messages.amount === SHARE);
  const content = `${site.url}/quick`;
  const { id } = await other.scene.make('/messages', { channelId: other.channel.id, content });
  await until(async () => dataOf(await other.scene.admin.get(`/messages/${id}`)).blocks?.length === 1);
  assert.ok(messages.amount <= SHARE, `${messages.amount} messages in progress`);
  assert.ok(peak <= MOST, `${peak} requests at once`);
  isHeld = false;
  for (const response of held) html(response, '<title>Slow</title>');
  // Messages beyond the share are retried once their lease ends.
  await until(async () => (await world.data.db.read.all(previewTimers)).length === 0, 60_000);
  assert.deepEqual(new Set(site.requested), new Set([...paths, '/quick']));
  // A timer ends a moment before its message stops counting.
  await until(() => messages.amount === 0);
});
