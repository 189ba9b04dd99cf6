import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { eraseUser } from '../../server/src/cli/people/erase.ts';
import { exportUser } from '../../server/src/cli/people/export.ts';
import { dataOf } from '../support/expect.ts';
import { logOf } from '../support/log.ts';
import { Stage } from '../support/process.ts';
import { Scene } from '../support/scene.ts';
import { q } from '../support/sources.ts';
import { content, plainBytes, storedIn, upload } from '../support/uploads.ts';
import { type Client, type Json, World } from '../support/world.ts';

const stage = new Stage();
after(() => stage.close());

const NAME = 'what only she would write.txt';

interface Story {
  world: World;
  scene: Scene;
  ada: Client;
  /** A file that the user has sent, and one that they have not sent. */
  sent: Json;
  unsent: Json;
}

async function story(t: { after(end: () => Promise<void>): void }): Promise<Story> {
  const world = await World.open();
  t.after(() => world.close());
  const scene = await Scene.open(world);
  const ada = await world.client(scene.server, ['canEditData'], await world.user({ username: 'ada' }));
  const file = async () => dataOf(await upload(world, ada, plainBytes(), NAME));
  const [sent, unsent] = [await file(), await file()];
  const { id: channelId } = await scene.channel();
  const body = { channelId, content: 'See here', attachmentIds: [sent.id] };
  dataOf(await ada.post('/messages', body, { 'idempotency-key': 'once' }));
  return { world, scene, ada, sent, unsent };
}

/** The tables that contain the files' name. */
async function tablesWithName({ data: { db } }: World): Promise<string[]> {
  const found = [];
  for (const table of ['attachment', 'message', 'event', 'idempotency'] as const)
    if (JSON.stringify(await db.read.all(q.selectFrom(table).selectAll())).includes(NAME)) found.push(table);
  return found;
}

test('erasing a user together with their messages deletes the files in them; unsent files are always deleted', async (t) => {
  const { world, scene, sent } = await story(t);
  assert.deepEqual(await tablesWithName(world), ['attachment', 'message']);
  await eraseUser(world.data, { username: 'ada', messages: 'delete' });
  await world.tidy();
  assert.deepEqual(storedIn(world.folder), []);
  assert.deepEqual(await tablesWithName(world), []);
  assert.equal((await content(world, scene.admin, sent.id)).status, 404);
  const deleted = (await logOf(world, scene.server.id)).filter(({ type }) => type === 'attachment.deleted');
  assert.deepEqual(
    deleted.map(({ data }) => [data.id, data.name]),
    [[sent.id, 'deleted']],
  );
});

test('files in kept messages are kept, too', async (t) => {
  const { world, scene, sent, unsent } = await story(t);
  await eraseUser(world.data, { username: 'ada', messages: 'keep' });
  await world.tidy();
  assert.deepEqual(storedIn(world.folder), [sent.id]);
  assert.equal((await content(world, scene.admin, sent.id)).status, 200);
  assert.ok(!JSON.stringify(await logOf(world, scene.server.id)).includes(`"${unsent.id}","name":"${NAME}`));
});

test('an export includes the files that a user has uploaded', async (t) => {
  const { world, sent, unsent } = await story(t);
  const folder = stage.folder();
  const [output, files] = [join(folder, 'ada.jsonl'), join(folder, 'files')];
  await exportUser(world.data, { username: 'ada', output, files });
  assert.deepEqual(readdirSync(files).sort(), [sent.id, unsent.id].sort());
  assert.deepEqual(readFileSync(join(files, sent.id)), plainBytes());
  const rows = readFileSync(output, 'utf8')
    .split('\n')
    .filter((line) => line.includes('"table":"attachment"'));
  assert.equal(rows.length, 2);
});
