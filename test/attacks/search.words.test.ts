import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { blocksFrom } from '../../server/src/db/search/build.ts';
import { idsOf } from '../support/expect.ts';
import { Scene } from '../support/scene.ts';
import { scripts } from '../support/scripts.ts';
import { indexerOf } from '../support/searchIndex.ts';
import { World } from '../support/world.ts';

let world: World;
let scene: Scene;
before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
});
after(() => world.close());

const settle = () => indexerOf(world).settle();

test('words of every script are found in messages, indexed or not', async () => {
  const other = await Scene.open(world);
  const channel = await other.channel();
  const sent = new Map<string, string>();
  for (const { script, text } of scripts)
    sent.set(script, (await other.message({ channelId: channel.id, content: text })).id);
  for (const isIndexed of [false, true]) {
    if (isIndexed) await settle();
    for (const { script, hits, misses } of scripts) {
      for (const text of [...hits, ...misses]) {
        if (text.trim() === '' || !text.isWellFormed() || text.includes('\0')) continue;
        const { data } = (
          await other.admin.get(`/servers/${other.server.id}/messages?q=${encodeURIComponent(text)}`)
        ).body;
        assert.equal(
          idsOf(data).includes(sent.get(script) as string),
          hits.includes(text),
          `${script}: ${text}, ${isIndexed}`,
        );
      }
    }
  }
});

test('a block is compact for any number of messages', () => {
  const idOf = (number: number) => `0190${number.toString(16).padStart(4, '0')}-0000-7000-8000-000000000000`;
  const messages = Array.from({ length: 4_096 }, (_, number) => ({
    id: idOf(number),
    keys: [`word${number % 997}`, 'common'],
  }));
  const building = blocksFrom(scene.server.id, messages);
  let result = building.next();
  while (!result.done) result = building.next();
  const [block] = result.value;
  assert.equal(block?.messages, 4_096);
  const sizes = block?.pages.map(({ length }) => length) ?? [];
  // The id alone takes 16 bytes.
  assert.ok(sizes.reduce((sum, size) => sum + size) / 4_096 < 24, String(sizes));
  assert.ok(Math.max(...sizes.slice(1)) < 2_000, String(sizes));
});

test('hostile searches are answered or rejected, and never fail', async () => {
  const path = `/servers/${scene.server.id}/messages?q=`;
  for (const text of [
    'a'.repeat(200),
    'ﷺ'.repeat(60),
    '上'.repeat(200),
    '"'.repeat(200),
    'a b '.repeat(50),
    '\u0001c',
    '\u202e\u0007',
  ]) {
    const { status } = await scene.admin.get(path + encodeURIComponent(text));
    assert.ok(status === 200 || status === 400, `${status}: ${text.slice(0, 10)}`);
  }
  const long = Array.from({ length: 3_000 }, (_, number) => `w${number}`).join('+');
  assert.equal((await scene.admin.get(path + long)).status, 400);
});
