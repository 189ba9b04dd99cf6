import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, test } from 'node:test';
import { assertRefused, dataOf } from '../support/expect.ts';
import { until } from '../support/process.ts';
import { q } from '../support/sources.ts';
import { arrivingIn, content, plainBytes, storedIn, upload } from '../support/uploads.ts';
import { type Client, type Json, World } from '../support/world.ts';

// Limits on uploads: file size, server quota, concurrent uploads and unsent files.

let world: World;
before(async () => {
  world = await World.open({
    fileMegabytes: 1,
    quotas: { fileMegabytes: 3 },
    bounds: { uploads: 3, uploadsPerUser: 2 },
  });
});
after(() => world.close());

const member = async (server?: Json): Promise<Client> =>
  world.client(server ?? (await world.server(await world.user())), ['canEditData']);

/** Starts an upload whose form stays open. */
function begin({ key }: Client): { end(): void; ended: Promise<number> } {
  const boundary = 'edge';
  const sending = request(`${world.url}/api/v1/attachments`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': `multipart/form-data; boundary=${boundary}`,
    },
  });
  sending.write(
    `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n${'a'.repeat(100_000)}`,
  );
  return {
    end: () => sending.end(`\r\n--${boundary}--\r\n`),
    ended: new Promise((resolve, reject) => {
      sending.on('response', (answer) => {
        answer.resume();
        resolve(answer.statusCode ?? 0);
      });
      sending.on('error', reject);
    }),
  };
}

test('a file can have exactly as many bytes as the setting allows', async () => {
  const ada = await member();
  assert.equal(dataOf(await upload(world, ada, plainBytes(1_000_000))).bytes, 1_000_000);
  assertRefused(await upload(world, ada, plainBytes(1_000_001)), 'INVALID_REQUEST', 'one byte more', 'file');
  assertRefused(await upload(world, ada, plainBytes(0)), 'INVALID_REQUEST', 'no byte', 'file');
});

test('a server has a storage quota, and deletes free space in it', async () => {
  const server = await world.server(await world.user());
  const [ada, bob] = [await member(server), await member(server)];
  const files = [];
  for (const client of [ada, bob, ada])
    files.push(dataOf(await upload(world, client, plainBytes(1_000_000))));
  assertRefused(await upload(world, bob, plainBytes(1)), 'INVALID_REQUEST');
  // Another server has its own quota.
  dataOf(await upload(world, await member(), plainBytes(1)));
  dataOf(await ada.delete(`/attachments/${files[0].id}`));
  dataOf(await upload(world, bob, plainBytes(999_999)));
  assertRefused(await upload(world, bob, plainBytes(2)), 'INVALID_REQUEST');
});

test('a user without permission to send is rejected before any bytes are read', async () => {
  const nobody = await world.client(await world.server(await world.user()), ['canViewData']);
  assertRefused(await upload(world, nobody), 'FORBIDDEN');
});

test('concurrent uploads are limited per user and per node', async () => {
  const [ada, bob, eve] = [await member(), await member(), await member()];
  const open = [begin(ada), begin(ada)];
  await until(() => arrivingIn(world.folder).length === 2);
  const refused = await upload(world, ada);
  assertRefused(refused, 'RATE_LIMITED');
  assert.equal(refused.headers.get('retry-after'), '5');
  open.push(begin(bob));
  await until(() => arrivingIn(world.folder).length === 3);
  assertRefused(await upload(world, eve), 'RATE_LIMITED');
  for (const one of open) one.end();
  assert.deepEqual(await Promise.all(open.map(({ ended }) => ended)), [200, 200, 200]);
  dataOf(await upload(world, eve));
});

test('unsent files are limited per user', async () => {
  const ada = await member();
  for (let count = 0; count < 100; count++) dataOf(await upload(world, ada, plainBytes(1)));
  assertRefused(await upload(world, ada, plainBytes(1)), 'INVALID_REQUEST');
});

test('rejected uploads leave nothing behind, and the metrics count all of them', async () => {
  await world.tidy();
  const metrics = await (await fetch(`${world.url}/metrics`)).text();
  const figure = (name: string) =>
    Number(new RegExp(`^palaver_${name} (\\S+)$`, 'm').exec(metrics)?.[1] ?? Number.NaN);
  const { uploads, bytes, removed } = world.data.files.figures;
  assert.deepEqual(
    [figure('uploads_total{outcome="stored"}'), figure('upload_bytes_total')],
    [uploads.stored, bytes],
  );
  assert.ok(figure('uploads_total{outcome="refused"}') >= 8 && figure('upload_seconds_total') > 0);
  assert.deepEqual([figure('uploads_open'), figure('uploads_total{outcome="failed"}')], [0, 0]);
  assert.ok(bytes > 4_000_000 && figure('files_removed_total') === removed && removed > 0, metrics);
  const rows = await world.data.db.read.all(q.selectFrom('attachment').selectAll());
  assert.equal(storedIn(world.folder).length, rows.length);
});

test('file contents have their own rate limit; file records count as reads', async (t) => {
  const limited = await World.open({ limits: { '*': 0, query: 1, content: 2 } });
  t.after(() => limited.close());
  const ada = await limited.client(await limited.server(await limited.user()), ['canEditData']);
  const { id } = dataOf(await upload(limited, ada));
  const statuses = [];
  for (let count = 0; count < 3; count++) statuses.push((await content(limited, ada, id)).status);
  assert.deepEqual(statuses, [200, 200, 429]);
  const records = [await ada.get(`/attachments/${id}`), await ada.get(`/attachments/${id}`)];
  assert.deepEqual(
    records.map(({ status }) => status),
    [200, 429],
  );
});
