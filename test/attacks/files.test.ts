import assert from 'node:assert/strict';
import { truncateSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import sharp from 'sharp';
import { previewsOf } from '../../server/src/files/media/previews.ts';
import { dataOf } from '../support/expect.ts';
import { until } from '../support/process.ts';
import { content, plainBytes, upload } from '../support/uploads.ts';
import { type Client, type Json, World } from '../support/world.ts';

// Attacks with files, by clients that do not read their downloads, and by a malicious file storage.

let world: World;
let ada: Client;
before(async () => {
  world = await World.open({ bounds: { unreadMegabytes: 2 } });
  ada = await world.client(await world.server(await world.user()), ['canEditData']);
});
after(() => world.close());

const pathOf = ({ id }: Json) => join(world.folder, 'files', id.slice(-2), id);

/** Requests a file twice over one connection, and returns everything that the connection received. */
function twice({ id }: Json): Promise<string> {
  const lines = [
    `GET /api/v1/attachments/${id}/content HTTP/1.1`,
    `Host: ${new URL(world.url).host}`,
    `Authorization: Bearer ${ada.key}`,
  ].join('\r\n');
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(Number(new URL(world.url).port), '127.0.0.1', () =>
      socket.write(`${lines}\r\n\r\n${lines}\r\nConnection: close\r\n\r\n`),
    );
    socket.setEncoding('latin1');
    socket.on('data', (some: string) => {
      text += some;
    });
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });
}

test('a file with the wrong length on disk does not corrupt the next response', async () => {
  for (const length of [100, 300_000]) {
    const file = dataOf(await upload(world, ada, plainBytes(200_000)));
    if (length < 200_000) truncateSync(pathOf(file), length);
    else writeFileSync(pathOf(file), plainBytes(length));
    const text = await twice(file);
    const [, body = ''] = text.split('\r\n\r\n');
    assert.ok(body.length <= 200_000, `${body.length}`);
    assert.equal(text.split('HTTP/1.1 ').length - 1, 1, 'the connection ends after the broken response');
  }
});

test('clients that do not read their downloads can only have a limited number of them open', async () => {
  // Uses a separate user, because the server may not have noticed yet that other tests' connections were closed.
  const bob = await world.client(await world.server(await world.user()), ['canEditData']);
  const file = dataOf(await upload(world, bob, plainBytes(8_000_000)));
  const abort = new AbortController();
  const begin = () =>
    fetch(`${world.url}/api/v1/attachments/${file.id}/content`, {
      headers: { authorization: `Bearer ${bob.key}` },
      signal: abort.signal,
    });
  // `fetch` ends a download whose response has been garbage-collected, so the responses are kept.
  const open: Response[] = [];
  for (let count = 0; count < 4; count++) open.push(await begin());
  const statuses = () => open.map(({ status }) => status);
  assert.deepEqual(statuses(), [200, 200, 200, 200]);
  const refused = await content(world, bob, file.id);
  assert.equal(refused.status, 429);
  assert.match(refused.bytes.toString(), /unreadMegabytes/);
  assert.equal((await content(world, bob, file.id, { method: 'HEAD' })).status, 429);
  assert.deepEqual(statuses(), [200, 200, 200, 200]);
  abort.abort();
  await until(async () => (await content(world, bob, file.id)).status === 200);
});

test("one user's slow images delay another user's image by the time of one slow image at most", async () => {
  const picture = async (width: number): Promise<string> => {
    const path = join(world.folder, `${width}.png`);
    await sharp({ create: { width, height: 1000, channels: 3, background: 'red' } })
      .png()
      .toFile(path);
    return path;
  };
  const [slow, quick] = await Promise.all([picture(2000), picture(100)]);
  const ended: string[] = [];
  const make = (path: string, user: string) =>
    previewsOf(path, 'image/png', user).then(({ thumbhash }) => ended.push(thumbhash ? user : 'none'));
  await Promise.all([...Array.from({ length: 4 }, () => make(slow, 'ada')), make(quick, 'bob')]);
  // When Bob's image arrived, one of Ada's was being decoded, and another was next in the queue.
  assert.deepEqual(ended, ['ada', 'ada', 'bob', 'ada', 'ada']);
});

test('a large image that can only be decoded in one piece gets no preview', async () => {
  const interlaced = await sharp({ create: { width: 5100, height: 5000, channels: 3, background: 'red' } })
    .png({ progressive: true })
    .toBuffer();
  const made = dataOf(await upload(world, ada, Buffer.from(interlaced)));
  assert.deepEqual([made.type, made.width, made.previews, made.thumbhash], ['image/png', 5100, [], null]);
});

/** A fake file store that accepts every upload, and responds to GET and HEAD as given. */
async function lyingStore(answer: (path: string) => [number, Record<string, string>, string]) {
  const asked: string[] = [];
  const service: Server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    request.resume().on('end', () => {
      if (request.method === 'PUT') return response.end();
      const [status, headers, body] = answer(request.url ?? '');
      response.writeHead(status, headers).end(body);
    });
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  const { port } = service.address() as AddressInfo;
  return { asked, url: `http://127.0.0.1:${port}`, close: () => service.close() };
}

test('a malicious bucket cannot redirect the node to other hosts or mix up responses', async (t) => {
  const inner = await lyingStore(() => [200, {}, 'the secrets of the network']);
  let reply: [number, Record<string, string>, string] = [302, { location: `${inner.url}/latest` }, ''];
  const outer = await lyingStore(() => reply);
  const lied = await World.open({
    settings: { files: `${outer.url}/bucket`, filesKey: 'key:secret', filesRegion: 'us-east-1' },
  });
  t.after(async () => {
    await lied.close();
    inner.close();
    outer.close();
  });
  const client = await lied.client(await lied.server(await lied.user()), ['canEditData']);
  const file = dataOf(await upload(lied, client, plainBytes(500)));
  assert.equal((await content(lied, client, file.id)).status, 503);
  assert.deepEqual(inner.asked, []);
  for (const body of ['short', 'long'.repeat(1000)]) {
    reply = [200, { 'content-length': String(body.length) }, body];
    const status = await content(lied, client, file.id).then(
      (answer) => answer.status,
      () => 'cut',
    );
    assert.ok(status === 500 || status === 'cut', `${status}`);
  }
  reply = [200, {}, 'a'.repeat(500)];
  assert.equal((await content(lied, client, file.id)).bytes.length, 500);
});
