import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertRefused, dataOf } from '../support/expect.ts';
import { openPlatformScene, type PlatformScene } from '../support/platformScene.ts';
import { until } from '../support/process.ts';
import { Scene } from '../support/scene.ts';
import { q } from '../support/sources.ts';
import { plainBytes, upload } from '../support/uploads.ts';
import { World } from '../support/world.ts';

// Tests numeric settings that are changed while nodes run. `platform.test.ts` covers text settings.

const DAY_MS = 24 * 60 * 60 * 1000;

let { clock, world, browser, audited } = {} as PlatformScene;
before(async () => {
  ({ clock, world, browser, audited } = await openPlatformScene());
});
after(() => world.close());

const change = (name: string, value: unknown) => browser.patch(`/platform/settings/${name}`, { value });

test('a numeric setting has bounds and accepts nothing else', async () => {
  const settings = dataOf(await browser.get('/platform/settings'));
  assert.deepEqual(
    settings.map(({ name, value, values, min, max }: Record<string, unknown>) => [
      name,
      value,
      (values as string[]).length,
      min,
      max,
    ]),
    [
      ['signUp', 'invite', 3, null, null],
      ['serverCreators', 'anybody', 2, null, null],
      ['serversPerPerson', '100', 0, 1, 10_000],
      ['personMegabytes', '10000', 0, 0, 100_000_000],
      ['storageMegabytes', '0', 0, 0, 100_000_000],
      ['fileMegabytes', '25', 0, 1, 4096],
      ['eventDays', '30', 0, 1, 3650],
    ],
  );
  for (const wrong of ['0', '4097', '1.5', '-1', ' 5', '0x10', '1e3', '', 'many', 5, {}, '99999999999'])
    assertRefused(await change('fileMegabytes', wrong), 'INVALID_REQUEST', JSON.stringify(wrong), 'value');
  const changed = dataOf(await change('fileMegabytes', '100'));
  assert.deepEqual([changed.value, changed.source, changed.own], ['100', 'platform', '25']);
  assert.deepEqual((await audited()).about, { setting: 'fileMegabytes', value: 100 });
  const back = dataOf(await change('fileMegabytes', null));
  assert.deepEqual([back.value, back.source], ['25', 'default']);
});

test('the maximum file size applies to the next upload on every node', async () => {
  const beside = await World.open({ place: world.place, clock, fileMegabytes: 3 });
  try {
    const client = await world.client(await world.server(await world.user()), ['canEditData']);
    const sent = async (at: World, bytes: number) => (await upload(at, client, plainBytes(bytes))).status;
    assert.deepEqual([await sent(world, 2_000_000), await sent(beside, 2_000_000)], [200, 200]);
    dataOf(await change('fileMegabytes', '1'));
    assert.deepEqual([await sent(world, 1_000_001), await sent(world, 1_000_000)], [400, 200]);
    await until(async () => (await sent(beside, 1_000_001)) === 400);
    dataOf(await change('fileMegabytes', null));
    assert.equal(await sent(world, 1_000_001), 200);
    await until(async () => (await sent(beside, 1_000_001)) === 200);
    assert.equal(await sent(beside, 3_000_001), 400);
  } finally {
    await beside.close();
  }
});

test('event retention applies from the next upkeep', async () => {
  const scene = await Scene.open(world);
  const channel = await scene.channel();
  for (const content of ['one', 'two']) await scene.message({ channelId: channel.id, content });
  const log = () =>
    world.data.db.read.all(q.selectFrom('event').select('seq').where('logId', '=', scene.server.id));
  const before = (await log()).length;
  dataOf(await change('eventDays', '2'));
  clock.advance(DAY_MS);
  await world.tidy();
  assert.equal((await log()).length, before);
  clock.advance(1.5 * DAY_MS);
  await world.tidy();
  assert.equal((await log()).length, 1);
});
