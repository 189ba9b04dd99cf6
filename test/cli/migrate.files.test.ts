// @run postgres: moves data between both engines
import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { dataOf } from '../support/expect.ts';
import { Moves } from '../support/moves.ts';
import { photo } from '../support/pictures.ts';
import { Scene } from '../support/scene.ts';
import { content, plainBytes, storedIn, upload } from '../support/uploads.ts';
import { type Json, World } from '../support/world.ts';

// Tests that uploaded files move with the data.

const moves = new Moves();
let folder: string;
let key: string;
/** The files in messages, with their contents. */
const sent: { id: string; bytes: Buffer }[] = [];
let icon: string;

before(async () => {
  folder = moves.folder();
  await moves.serving(folder, async (world) => {
    const scene = await Scene.open(world);
    key = scene.admin.key;
    const { id: channelId } = await scene.channel();
    const picture = await photo(1200, 900).png().toBuffer();
    for (const bytes of [plainBytes(100_000), Buffer.from(picture)]) {
      const { id } = dataOf(await upload(world, scene.admin, bytes));
      dataOf(await scene.admin.post('/messages', { channelId, content: 'See', attachmentIds: [id] }));
      sent.push({ id, bytes: (await content(world, scene.admin, id)).bytes });
    }
    const path = `/servers/${scene.server.id}/icon`;
    icon = dataOf(await upload(world, scene.admin, Buffer.from(picture), 'icon.png', { path })).icon;
  });
});
after(() => moves.close());

/** Asserts that a server on this data serves all files. */
async function assertGiven(place: { data: string; database: string }): Promise<void> {
  const world = await World.open({ place: { ...place, secretKey: '' } });
  try {
    for (const { id, bytes } of sent) {
      const given = await content(world, { key }, id);
      assert.deepEqual([given.status, given.bytes.equals(bytes)], [200, true]);
    }
    assert.equal(
      (await content(world, { key }, sent[1]?.id as string, { query: '?preview=small' })).status,
      200,
    );
    assert.equal((await fetch(`${world.url}${icon}`)).status, 200);
  } finally {
    await world.close();
  }
}

const move = async (from: string, to: string, data: string): Promise<Json> => {
  const { code, stdout, stderr } = await moves.run(['migrate', '--from', from, '--to', to, '--json'], {
    PALAVER_DATA: data,
  });
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout);
};

test('files move to the data folder in the settings, and from there into another data folder', async () => {
  const [url, beside, back] = [await moves.database(), moves.folder(), join(moves.folder(), 'back')];
  const stored = storedIn(folder);
  // A text file, and an image and an icon with one preview each.
  assert.equal(stored.length, 5);
  await move(folder, url, beside);
  assert.deepEqual([storedIn(folder), storedIn(beside)], [stored, stored]);
  await assertGiven({ data: beside, database: url });
  await move(url, back, beside);
  assert.deepEqual(storedIn(back), stored);
  await assertGiven({ data: back, database: '' });
});

test('an interrupted move copies missing files, and never takes a partial file for a complete one', async () => {
  const [url, beside] = [await moves.database(), moves.folder()];
  await move(folder, url, beside);
  const [{ id, bytes }] = sent as [(typeof sent)[number]];
  const path = join(beside, 'files', id.slice(-2), id);
  assert.ok(readFileSync(path).equals(bytes));
  rmSync(path);
  await move(folder, url, beside);
  assert.ok(readFileSync(path).equals(bytes), 'a missing file');
  writeFileSync(path, bytes.subarray(0, 1000));
  await move(folder, url, beside);
  assert.ok(readFileSync(path).equals(bytes), 'a partial file');
});
