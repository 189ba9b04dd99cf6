// @run sqlite: measures memory, on which the database has no effect
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { call, type Running, Stage } from '../support/process.ts';
import { upload } from '../support/uploads.ts';

const MEGABYTES = 100;
/** How much the memory may grow during an upload or download, in megabytes. */
const MAX_GROWTH = 60;

const stage = new Stage();
after(() => stage.close());

/** A node's resident memory in megabytes. */
async function resident(server: Running): Promise<number> {
  const { text } = await call(server, 'GET', '/metrics');
  return Number(/^\w*process_resident_memory_bytes (\S+)/m.exec(text)?.[1]) / 1e6;
}

/** Uploads a large file, and resolves with its id. */
function uploadLarge({ url, key }: Running): Promise<string> {
  const piece = Buffer.alloc(1_000_000, 'a');
  return new Promise((resolve, reject) => {
    const sending = request(`${url}/api/v1/attachments`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'multipart/form-data; boundary=edge' },
    });
    sending.on('response', (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (some) => {
        text += some;
      });
      answer.on('end', () => (answer.statusCode === 200 ? resolve(JSON.parse(text).data.id) : reject(text)));
    });
    sending.on('error', reject);
    sending.write('--edge\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n');
    let sent = 0;
    const more = () => {
      while (sent < MEGABYTES) {
        sent++;
        if (!sending.write(piece)) return sending.once('drain', more);
      }
      return sending.end('\r\n--edge--\r\n');
    };
    more();
  });
}

/** How much the memory grows beyond `before` during `work`, in megabytes. */
async function growthOf(server: Running, before: number, work: Promise<unknown>): Promise<number> {
  let most = before;
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    most = Math.max(most, await resident(server));
    await sleep(20);
  }
  await done;
  return most - before;
}

test(`an upload of ${MEGABYTES} MB, and its download, use at most ${MAX_GROWTH} MB of memory`, async (t) => {
  const environment = { PALAVER_FILE_MEGABYTES: String(MEGABYTES), PALAVER_LOG_LEVEL: 'error' };
  const server = await stage.start(stage.folder(), { environment });
  await upload(server as never, server);
  const before = await resident(server);
  assert.ok(before > 20);
  let id = '';
  const growth = await growthOf(
    server,
    before,
    uploadLarge(server).then((made) => {
      id = made;
    }),
  );
  const reading = fetch(`${server.url}/api/v1/attachments/${id}/content`, {
    headers: { authorization: `Bearer ${server.key}` },
  }).then(async (answer) => {
    let bytes = 0;
    for await (const some of answer.body ?? []) bytes += some.length;
    assert.equal(bytes, MEGABYTES * 1_000_000);
  });
  const ofDownload = await growthOf(server, before, reading);
  t.diagnostic(
    `${growth.toFixed(1)} MB more for the upload, ${ofDownload.toFixed(1)} MB more for the download`,
  );
  assert.ok(growth <= MAX_GROWTH && ofDownload <= MAX_GROWTH, `${growth} and ${ofDownload} MB more`);
  assert.equal(await server.end(), 0);
});
