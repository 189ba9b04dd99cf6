import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Browser } from '../support/account.ts';
import { Scene } from '../support/scene.ts';
import { type Answer, type Json, TestClock, World } from '../support/world.ts';

// The busiest minute of a person's day, under the specification's limits.

const clock = new TestClock();
let world: World;
let scenes: Scene[];
before(async () => {
  // These operations have no limits, because the setup writes in bulk.
  const others = { channel: 0, message: 0, thread: 0, pin: 0 };
  world = await World.open({ clock, limits: others });
  scenes = [await Scene.open(world), await Scene.open(world), await Scene.open(world)];
});
after(() => world.close());

test('a person who starts the client, switches channels, scrolls, opens threads and pins, and reconnects never hits a limit', async () => {
  const user = await world.user();
  for (const { server } of scenes) await world.member(server, user);
  const [scene] = scenes as [Scene];
  const channels: Json[] = [];
  for (let number = 0; number < 30; number++) channels.push(await scene.channel());
  const [busy] = channels as [Json];
  const threads: Json[] = [];
  for (let number = 0; number < 40; number++) {
    const { id: messageId } = await scene.message({ channelId: busy.id });
    if (number < 10) threads.push(await scene.thread({ messageId }));
    if (number < 5) await scene.make('/pins', { messageId });
  }
  const browser = await Browser.of(world, user, scene.server);
  const kinds = new Map<string, number>();
  const asked = async (asking: Promise<Answer>): Promise<Json> => {
    const { status, headers, data } = await asking;
    const kind = /^"(\w+)"/.exec(headers.get('ratelimit') ?? '')?.[1] as string;
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    assert.equal(status, 200, `${kind}: ${JSON.stringify([...kinds])}`);
    return data;
  };
  const streamed = async (): Promise<void> => {
    const stream = await browser.stream();
    assert.equal(stream.status, 200);
    kinds.set('view', (kinds.get('view') ?? 0) + 1);
    stream.close();
  };
  const boot = async (): Promise<void> => {
    await asked(browser.get('/me'));
    await asked(browser.api.get('/servers'));
    await streamed();
    for (const { server } of scenes) await asked(browser.get(`/servers/${server.id}/snapshot`));
  };

  await boot();
  for (const { id } of channels) await asked(browser.get(`/channels/${id}/view`));
  for (let page = 0, before = ''; page < 20; page++) {
    const shown = await asked(browser.get(`/channels/${busy.id}/view?limit=2${before}`));
    before = `&before=${shown.before}`;
  }
  for (const { id } of threads) await asked(browser.api.get(`/threads/${id}`));
  for (let time = 0; time < 5; time++) await asked(browser.api.get(`/channels/${busy.id}/pins`));
  await asked(browser.api.get(`/servers/${scene.server.id}/members`));
  for (let time = 0; time < 10; time++) await streamed();
  // A second browser of the same person, and a reload, share the limits.
  await boot();
  await boot();

  const { query = 0, view = 0 } = Object.fromEntries(kinds);
  assert.ok(query <= 30, `requests that count as reads: ${query}`);
  assert.ok(view > 60, `views, more than the limit of reads: ${view}`);
  assert.ok(view <= 150, `views: ${view}`);
});
