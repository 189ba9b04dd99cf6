import assert from 'node:assert/strict';
import { request } from 'node:http';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { StorageError } from '../../server/src/db/contract.ts';
import { flag, record } from '../../server/src/operations/fields.ts';
import { read } from '../../server/src/operations/read.ts';
import { ownTarget } from '../../server/src/resources/common.ts';
import { ExportScene } from '../support/exportScene.ts';
import { fillChannel } from '../support/messages.ts';
import { Scene } from '../support/scene.ts';
import { find } from '../support/sources.ts';
import { World } from '../support/world.ts';

/** A logger that keeps warnings and errors. */
function loggerTo(lines: string[]) {
  return pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
}

test('a stop waits for a request whose client has disconnected, then closes the database', async () => {
  const lines: string[] = [];
  const [entered, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let found: unknown;
  const slow = read({
    operation: 'slow',
    path: '/slow',
    tag: 'user',
    summary: 'Answer late',
    visible: 'self',
    answer: record('Slow', { isSlow: flag('Always') }),
    target: ownTarget,
    async run({ db, principal }) {
      entered.resolve();
      await release.promise;
      found = await db.first(find('user', { id: principal.userId }));
      return { id: principal.userId, createdAt: 1, updatedAt: 1, isSlow: true };
    },
  });
  const world = await World.open({ further: [slow], logger: loggerTo(lines) });
  const scene = await Scene.open(world);
  const headers = { authorization: `Bearer ${scene.admin.key}` };
  const asked = request(`${world.url}/api/v1/slow`, { headers }).end();
  asked.on('error', () => {});
  await entered.promise;
  asked.destroy();
  await new Promise((resolve) => asked.once('close', resolve));
  const { read: reads } = world.data.db;
  let isClosed = false;
  const closing = world.close().then(() => {
    isClosed = true;
  });
  await sleep(500);
  assert.equal(isClosed, false);
  release.resolve();
  await closing;
  assert.ok(found, 'the request has read after its client had disconnected');
  assert.deepEqual(lines, []);
  await assert.rejects(
    reads.first(find('user', { id: scene.owner.id })),
    (error) =>
      error instanceof StorageError &&
      (Boolean(world.place.database) || error.message === 'the database is closed'),
  );
});

test('a stop ends a running export early, and reports no failure', async () => {
  const lines: string[] = [];
  const stage = await ExportScene.open({ logger: loggerTo(lines) });
  const ada = await stage.member();
  await fillChannel(stage.world, await stage.scene.channel(), ada.user.id, 6_000);
  await ada.browser.post('/exports');
  await stage.world.node.clock?.look();
  const from = performance.now();
  await stage.close();
  assert.ok(performance.now() - from < 8_000, 'the export ends early');
  await sleep(500);
  assert.deepEqual(lines, []);
});
