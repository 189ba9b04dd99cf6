import assert from 'node:assert/strict';
import { utimesSync } from 'node:fs';
import { type ClientRequest, request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { assertRefused, dataOf } from '../support/expect.ts';
import { until } from '../support/process.ts';
import { find, insert, q } from '../support/sources.ts';
import { arrivingIn, content, plainBytes, storedIn, upload } from '../support/uploads.ts';
import { type Client, TestClock, World } from '../support/world.ts';

// Interrupted uploads and malformed forms, and the files that they leave behind.

const DAY_MS = 24 * 60 * 60_000;

const clock = new TestClock();
let world: World;
let ada: Client;
before(async () => {
  world = await World.open({ clock });
  ada = await world.client(await world.server(await world.user()), ['canEditData']);
});
after(() => world.close());

const HEAD = '--edge\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n';

/** Starts to post a form. */
function post(headers: Record<string, string> = {}): { sending: ClientRequest; status: Promise<number> } {
  const sending = request(`${world.url}/api/v1/attachments`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${ada.key}`,
      'content-type': 'multipart/form-data; boundary=edge',
      ...headers,
    },
  });
  const status = new Promise<number>((resolve) => {
    sending.on('response', (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    sending.on('error', () => resolve(0));
  });
  return { sending, status };
}

const attachmentRows = () => world.data.db.read.all(q.selectFrom('attachment').select('id'));

test('an interrupted upload leaves nothing behind', async () => {
  const before = (await attachmentRows()).length;
  const { sending } = post({ 'content-length': '10000000000' });
  sending.write(HEAD + 'a'.repeat(500_000));
  await until(() => arrivingIn(world.folder).length === 1);
  sending.destroy();
  await until(() => arrivingIn(world.folder).length === 0);
  assert.equal((await attachmentRows()).length, before);
});

test('a truncated or invalid form is rejected', async () => {
  const bodies = [
    HEAD + plainBytes(),
    `${HEAD}${plainBytes()}\r\n--edg`,
    '--edge\r\n\r\n--edge--',
    '--edge--\r\n',
    '',
    'nothing',
    `--edge\r\ncontent-disposition: form-data; name="note"\r\n\r\nno file\r\n--edge--\r\n`,
    `${'--edge\r\ncontent-disposition: form-data; name="a"\r\n\r\nb\r\n'.repeat(1000)}--edge--\r\n`,
  ];
  for (const body of bodies) {
    const { sending, status } = post();
    sending.end(body);
    assert.equal(await status, 400, body.slice(0, 200));
  }
  for (const type of [
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'application/json',
    'image/png',
  ]) {
    const answer = await world.request('POST', '/attachments', {
      raw: HEAD,
      headers: { authorization: `Bearer ${ada.key}`, 'content-type': type },
    });
    assertRefused(answer, 'INVALID_REQUEST', type);
  }
  assert.deepEqual(arrivingIn(world.folder), []);
});

test('a body with another media type gets an error with the right one', async () => {
  for (const path of ['/attachments', '/users/me/image']) {
    for (const type of ['application/json', 'image/png', 'text/plain']) {
      const answer = await world.request('POST', path, {
        raw: '{}',
        headers: { authorization: `Bearer ${ada.key}`, 'content-type': type },
      });
      assertRefused(answer, 'INVALID_REQUEST', type);
      const { message, details } = answer.body.error;
      assert.equal(message, 'send the file as multipart/form-data');
      assert.equal(details[0].reason, 'wrong_media_type');
    }
  }
});

test('a Content-Length that is too small or too large does no harm', async () => {
  const body = `${HEAD}${plainBytes(100)}\r\n--edge--\r\n`;
  for (const length of [body.length - 50, body.length + 50]) {
    const socket = connect(Number(new URL(world.url).port), '127.0.0.1');
    socket.end(
      `POST /api/v1/attachments HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${ada.key}\r\nContent-Type: multipart/form-data; boundary=edge\r\nContent-Length: ${length}\r\n\r\n${body}`,
    );
    socket.resume();
    await new Promise((resolve) => socket.on('close', resolve));
  }
  await until(() => arrivingIn(world.folder).length === 0);
  dataOf(await upload(world, ada));
});

test('a repeated upload returns the first response, and one file remains', async () => {
  const headers = { 'idempotency-key': 'once' };
  const first = dataOf(await upload(world, ada, plainBytes(), 'a', { headers }));
  const again = await upload(world, ada, plainBytes(), 'a', { headers });
  assert.deepEqual(dataOf(again), first);
  assert.equal(again.headers.get('idempotency-replayed'), 'true');
  const other = await upload(world, ada, plainBytes(999), 'a', { headers });
  assertRefused(other, 'INVALID_REQUEST', 'the same key with another file');
  await world.tidy();
  const ids = (await attachmentRows()).map(({ id }) => id);
  assert.deepEqual(storedIn(world.folder), ids.sort());
});

test('a file that is never sent is deleted after a day, and its uploader is notified', async () => {
  const owner = await world.user();
  const server = await world.server(owner);
  const bob = await world.client(server, ['canEditData']);
  const eve = await world.client(server, ['canAdmin'], owner);
  const channel = dataOf(await eve.post('/channels', { name: 'files' }));
  const [kept, gone] = [dataOf(await upload(world, bob)), dataOf(await upload(world, bob))];
  dataOf(await bob.post('/messages', { channelId: channel.id, content: 'See', attachmentIds: [kept.id] }));
  clock.advance(DAY_MS - 60_000);
  await world.tidy();
  assert.equal((await content(world, bob, gone.id)).status, 200);
  clock.advance(60_001);
  await world.tidy();
  assert.equal((await content(world, bob, gone.id)).status, 404);
  assert.equal((await content(world, bob, kept.id)).status, 200);
  const stored = storedIn(world.folder);
  assert.deepEqual([stored.includes(kept.id), stored.includes(gone.id)], [true, false]);
  const told = async (client: Client) =>
    dataOf(await client.get('/events?limit=100'))
      .filter(({ type }: { type: string }) => type.startsWith('attachment.'))
      .map(({ type, data }: { type: string; data: { id: string } }) => [type, data.id === kept.id])
      .sort();
  const sent = ['attachment.updated', true];
  assert.deepEqual(await told(eve), [sent]);
  const made = [true, false].map((which) => ['attachment.created', which]);
  assert.deepEqual(await told(bob), [...made, ['attachment.deleted', false], sent].sort());
});

test('upkeep removes the uploads of a crashed process, whether partial or complete', async () => {
  // As left behind by a killed process: a partial file, and a stored one without a row.
  const { sending } = post();
  sending.write(HEAD + 'a'.repeat(100_000));
  await until(() => arrivingIn(world.folder).length === 1);
  const [name] = arrivingIn(world.folder);
  const path = join(world.folder, 'files', 'incoming', name as string);
  await world.tidy();
  assert.equal(arrivingIn(world.folder).length, 1, 'an upload in progress stays');
  const hour = new Date(Date.now() - 3_700_000);
  utimesSync(path, hour, hour);
  await world.tidy();
  assert.deepEqual(arrivingIn(world.folder), []);
  sending.destroy();

  const { id } = dataOf(await upload(world, ada));
  await world.data.db.write((tx) => tx.run(q.deleteFrom('attachment').where('id', '=', id)));
  await world.data.db.write((tx) =>
    tx.run(
      q
        .updateTable('fileRemoval')
        .set({ dueAt: clock.at + DAY_MS })
        .where('id', '=', id),
    ),
  );
  await world.tidy();
  assert.ok(storedIn(world.folder).includes(id));
  clock.advance(DAY_MS);
  await world.tidy();
  assert.ok(!storedIn(world.folder).includes(id));
  assert.equal(await world.data.db.read.first(find('fileRemoval', { id })), undefined);
});

test('a file is never removed while the outcome of its upload is unknown', async () => {
  const { id } = dataOf(await upload(world, ada));
  // An upload whose commit succeeded although the node saw a failure: the node made the removal of its file
  // due, but the commit had already cancelled the removal.
  await world.data.db.write((tx) =>
    tx.run(q.updateTable('fileRemoval').set({ dueAt: 0 }).where('id', '=', id)),
  );
  await world.tidy();
  assert.equal((await content(world, ada, id)).status, 200);
  await world.data.db.write((tx) => tx.run(insert('fileRemoval', { id: FOREIGN, dueAt: 0 })));
  await world.tidy();
  assert.equal(await world.data.db.read.first(find('fileRemoval', { id: FOREIGN })), undefined);
});

const FOREIGN = '01900000-0000-7000-8000-000000000000';
