import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { exportPerson } from '../../server/src/imports/export/person.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { ExportScene, say } from '../support/exportScene.ts';
import { moving } from '../support/moving.ts';
import { Stage } from '../support/process.ts';
import { find } from '../support/sources.ts';
import type { Json } from '../support/world.ts';

const DAY_MS = 24 * 60 * 60_000;

const commands = new Stage();

let stage: ExportScene;
before(async () => {
  stage = await ExportScene.open();
});
after(async () => {
  await stage.close();
  await commands.close();
});

test('the command exports a person by username and is recorded, and import explains why it rejects such an export', async () => {
  const ada = await stage.member();
  await say(ada, (await stage.scene.channel()).id, 'By command');
  const place = join(stage.folder, 'by-command');
  const made = await moving(commands, stage.world, 'export', place, '--user', ada.user.username);
  assert.deepEqual([made.code, made.report?.counts.messages], [0, 1], made.stderr);
  const recorded = await stage.world.data.db.read.all(find('audit', { command: 'export' }));
  assert.deepEqual(recorded.at(-1)?.about, { userId: ada.user.id });
  const into = ['--from', 'palaver', '--server', stage.scene.server.id, '--dry-run'];
  const refused = await moving(commands, stage.world, 'import', place, ...into);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /a person's export, and undamaged/);
  for (const wrong of [[], ['--server', stage.scene.server.id, '--user', 'ada'], ['--user', 'nobody-here']])
    assert.equal(
      (await moving(commands, stage.world, 'export', join(stage.folder, 'none'), ...wrong)).code,
      1,
    );
});

test('an export that is interrupted at every page equals an uninterrupted one, even while people write', async () => {
  const ada = await stage.member();
  const [channel, other] = [await stage.scene.channel(), await stage.scene.channel()];
  const thread = dataOf(
    await ada.browser.api.post('/threads', {
      messageId: (await say(ada, channel.id, 'Start')).id,
      name: 'Long',
    }),
  );
  for (let count = 0; count < 520; count++)
    dataOf(await ada.browser.api.post('/messages', { threadId: thread.id, content: `Reply ${count}` }));
  await say(ada, other.id, 'Elsewhere');
  const { db, deps, files } = stage.world.data;
  const fixed = deps.newId();
  const given = { db: db.read, files, userId: ada.user.id, now: () => 0, newId: () => fixed };
  const whole = join(stage.folder, 'whole');
  await exportPerson({ ...given, folder: whole });
  await say(ada, other.id, 'Written meanwhile');

  const broken = join(stage.folder, 'broken');
  let attempts = 0;
  for (let isDone = false; !isDone; attempts++) {
    let steps = 0;
    try {
      await exportPerson({
        ...given,
        folder: broken,
        onProgress() {
          if (++steps === 2) throw new Error('interrupted');
        },
      });
      isDone = true;
    } catch (error) {
      assert.equal((error as Error).message, 'interrupted');
    }
  }
  assert.ok(attempts > 10);
  const namesIn = (place: string) => readdirSync(place, { recursive: true }).map(String).sort();
  const texts = (place: string) =>
    ['messages', 'threads', 'replies', 'channels', 'people'].map((name) =>
      readFileSync(join(place, `${name}.jsonl`), 'utf8'),
    );
  assert.deepEqual(namesIn(broken), namesIn(whole));
  assert.deepEqual(texts(broken), texts(whole));
  assert.equal(texts(whole)[1]?.split('\n').filter(Boolean).length, 1);
  await assert.rejects(exportPerson({ ...given, folder: whole }), /is not empty/);
});

test('exports are visible only to their owner, need a confirmed identity, and are limited', async () => {
  const [ada, bob] = [await stage.member(), await stage.member()];
  const { id } = await stage.exported(ada);
  assertRefused(await bob.browser.get(`/exports/${id}`), 'NOT_FOUND');
  assertRefused(await bob.browser.delete(`/exports/${id}`), 'NOT_FOUND');
  assert.equal((await stage.download(bob, id)).status, 404);
  assert.equal((await fetch(`${stage.world.url}/api/people/exports/${id}/content`)).status, 401);
  const withKey = { authorization: `Bearer ${stage.scene.admin.key}` };
  assert.equal(
    (await fetch(`${stage.world.url}/api/people/exports/${id}/content`, { headers: withKey })).status,
    401,
  );

  const running = dataOf(await ada.browser.post('/exports'));
  const second = await ada.browser.post('/exports');
  assertRefused(second, 'INVALID_REQUEST');
  assert.match(second.body.error.message, /in progress/);
  dataOf(await ada.browser.delete(`/exports/${running.id}`));
  await stage.exported(ada);
  // Deleted exports count, too.
  const fourth = await ada.browser.post('/exports');
  assertRefused(fourth, 'INVALID_REQUEST');
  assert.match(fourth.body.error.message, /3 exports/);
  const { length } = dataOf(await ada.browser.get('/exports')) as Json[];
  assert.equal(length, 2);

  stage.clock.advance(11 * 60_000);
  assertRefused(await ada.browser.post('/exports'), 'FORBIDDEN');
  assert.equal((await stage.download(ada, id)).status, 403);
  dataOf(await ada.browser.delete(`/exports/${id}`));
  await stage.world.tidy();
  assert.equal(await (await stage.world.data.files.store).sizeOf(id), undefined);
  assertRefused(await ada.browser.get(`/exports/${id}`), 'NOT_FOUND');
});

test('an export that is a week old, or whose account was closed, leaves no file', async () => {
  const [ada, bob] = [await stage.member(), await stage.member()];
  const [old, closed] = [await stage.exported(ada), await stage.exported(bob)];
  dataOf(await bob.browser.post('/close', { username: bob.user.username, messages: 'keep' }));
  stage.clock.advance(8 * DAY_MS);
  await stage.world.tidy();
  const store = await stage.world.data.files.store;
  for (const { id } of [old, closed]) {
    assert.equal(await store.sizeOf(id), undefined);
    assert.equal(await stage.world.data.db.read.first(find('personExport', { id })), undefined);
  }
});
