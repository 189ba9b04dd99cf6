// @run waits: waits most of its time
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Site, skip, withClock } from '../support/nodes.ts';
import { call, type Running } from '../support/process.ts';

const HOUR_MS = 3_600_000;
const KEY_LIFE_MS = 4_000;
/** A typing indicator that nobody renews expires after this time (decisions, part 4). */
const INDICATOR_MS = 10_000;

let site: Site;
let nodes: Running[];

/** The status of the same request at each node. */
const statuses = (path: string, key: string, method = 'GET', body?: object) =>
  Promise.all(
    nodes.map(
      async (node) => (await call(node, method, `/api/v1${path}`, { key, ...(body && { body }) })).status,
    ),
  );
const onAll = (status: number) => [status, status, status];

describe('nodes whose clocks are an hour off', { skip }, () => {
  before(async () => {
    site = await Site.open(1);
    const off = await Promise.all([site.start(withClock(HOUR_MS)), site.start(withClock(-HOUR_MS))]);
    nodes = [site.at(0), ...off];
  });
  after(() => site?.close());

  const path = () => `/channels/${site.channelId}/messages`;

  test('accept a key until it expires, and reject it from then on', async () => {
    const expiresAt = Date.now() + KEY_LIFE_MS;
    const { key } = await site.mint({ expiresAt });
    assert.deepEqual(await statuses(path(), key), onAll(200));
    await sleep(expiresAt - Date.now() + 100);
    assert.deepEqual(await statuses(path(), key), onAll(401));
  });

  test('create keys only with a future expiry', async () => {
    const mint = (ahead: number) =>
      statuses('/secrets', site.key, 'POST', {
        kind: 'apiKey',
        name: 'Agent',
        expiresAt: Date.now() + ahead,
      });
    assert.deepEqual(await mint(60_000), onAll(200));
    assert.deepEqual(await mint(-60_000), onAll(400));
  });

  test('keep an indicator for its full duration', async () => {
    const indicator = { type: 'typing', channelId: site.channelId };
    const { id } = await site.make('/indicators', indicator);
    const renew = () => statuses(`/indicators/${id}`, site.key, 'PATCH', {});
    for (let time = 0; time < 2; time++) assert.deepEqual(await renew(), onAll(200));
    await sleep(INDICATOR_MS + 200);
    assert.deepEqual(await renew(), onAll(404));
  });
});
