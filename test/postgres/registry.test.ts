import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { dataOf } from '../support/expect.ts';
import { endOf, logOf } from '../support/log.ts';
import { Scene } from '../support/scene.ts';
import { type Json, World } from '../support/world.ts';

// Two servers install each other's apps. Each install and removal appends an event to both logs, so writers of
// both wait for each other; none may deadlock.

const APPS = 4;
const ROUNDS = 12;

let world: World;
let sites: { scene: Scene; apps: Json[]; channel: Json }[];

before(async () => {
  world = await World.open();
  const open = async () => {
    const scene = await Scene.open(world);
    const apps = await Promise.all(Array.from({ length: APPS }, () => scene.submitted()));
    return { scene, apps, channel: await scene.channel() };
  };
  sites = [await open(), await open()];
});
after(() => world.close());

const all = async (works: Promise<unknown>[]) => {
  await Promise.all(works);
};

/** Installs and removes an app repeatedly. */
async function come(scene: Scene, appId: string, path: string): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    const body = path === '/app-installs' ? { appId } : { id: appId };
    dataOf(await scene.admin.post(path, body), 'an install');
    const installs = dataOf(await scene.admin.get(`/servers/${scene.server.id}/app-installs`));
    const { id } = installs.find((install: Json) => install.appId === appId);
    dataOf(await scene.admin.delete(`/app-installs/${id}`), 'a removal');
  }
}

test("writers of two servers that install each other's apps all get responses, and the logs have no gaps", async () => {
  const starts = await Promise.all(sites.map(({ scene }) => endOf(world, scene.server.id)));
  const { retries } = world.data.db.figures;
  const slowest = { install: 0, message: 0 };
  const timed = async (what: keyof typeof slowest, work: () => Promise<unknown>) => {
    const begun = performance.now();
    await work();
    slowest[what] = Math.max(slowest[what], performance.now() - begun);
  };
  await all(
    sites.flatMap(({ scene, apps, channel }, index) => {
      const others = (sites[1 - index] as (typeof sites)[number]).apps;
      return [
        ...apps.map((app) => come(scene, app.id, '/app-installs')),
        ...others.map((app, number) =>
          come(scene, app.id, number % 2 ? '/app-installs' : '/apps/install-from-registry'),
        ),
        ...apps.map(async (app) => {
          for (let round = 0; round < ROUNDS; round++) {
            await timed('install', async () =>
              dataOf(await scene.admin.patch(`/apps/${app.id}`, { version: `${round}` })),
            );
          }
        }),
        ...Array.from({ length: 6 }, async () => {
          for (let round = 0; round < 3 * ROUNDS; round++) {
            await timed('message', () => scene.message({ channelId: channel.id }));
          }
        }),
      ];
    }),
  );
  for (const [index, { scene, apps }] of sites.entries()) {
    const log = await logOf(world, scene.server.id, starts[index]);
    const counts: Record<string, number> = {};
    for (const { type } of log) counts[type] = (counts[type] ?? 0) + 1;
    assert.equal(counts['message.created'], 6 * 3 * ROUNDS);
    assert.equal(counts['appInstall.created'], 2 * APPS * ROUNDS);
    assert.equal(counts['appInstall.deleted'], 2 * APPS * ROUNDS);
    // Each of the server's own apps was installed and removed in both servers, and updated.
    assert.equal(counts['app.updated'], APPS * ROUNDS * (2 + 2 + 1));
    for (const app of apps) {
      const shown = dataOf(await scene.admin.get(`/apps/${app.id}`));
      const last = log.findLast(({ type, data }) => type === 'app.updated' && data.id === app.id);
      assert.equal(shown.installCount, 0);
      assert.deepEqual(last?.data, shown, 'the last event shows the app as a read does');
    }
  }
  assert.equal(world.data.db.figures.retries, retries, 'no write was retried');
  assert.ok(slowest.message < 5_000, `a message took ${Math.round(slowest.message)} ms`);
});
