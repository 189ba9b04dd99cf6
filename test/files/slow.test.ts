// @run sqlite, waits: tests code that runs before any data is written; waits for time to pass
import assert from 'node:assert/strict';
import { type ClientRequest, request } from 'node:http';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../support/process.ts';
import { arrivingIn } from '../support/uploads.ts';
import { type Client, type Json, World } from '../support/world.ts';

// Uploads that take longer than other requests may, and uploads that are too slow: each 64 KiB must arrive within
// 30 s.

const STEP_MS = 5_000;
const STEP_BYTES = 40_000;
const HEAD = '--edge\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n';

let world: World;
let ada: Client;
before(async () => {
  world = await World.open();
  ada = await world.client(await world.server(await world.user()), ['canEditData']);
});
after(() => world.close());

function post(): {
  sending: ClientRequest;
  answer: Promise<{ status: number; body: Json; seconds: number }>;
} {
  const from = performance.now();
  const sending = request(`${world.url}/api/v1/attachments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ada.key}`, 'content-type': 'multipart/form-data; boundary=edge' },
  });
  const answer = new Promise<{ status: number; body: Json; seconds: number }>((resolve, reject) => {
    sending.on('response', (given) => {
      let text = '';
      given.setEncoding('utf8').on('data', (some) => {
        text += some;
      });
      given.on('end', () =>
        resolve({
          status: given.statusCode ?? 0,
          body: JSON.parse(text),
          seconds: (performance.now() - from) / 1000,
        }),
      );
    });
    sending.on('error', reject);
  });
  answer.catch(() => {});
  return { sending, answer };
}

test('an upload can take longer than other requests, as long as it makes progress', {
  timeout: 180_000,
}, async () => {
  const slow = async () => {
    const { sending, answer } = post();
    sending.write(HEAD);
    let bytes = 0;
    for (; bytes < 11 * STEP_BYTES; bytes += STEP_BYTES) {
      sending.write('a'.repeat(STEP_BYTES));
      await sleep(STEP_MS);
    }
    sending.end('\r\n--edge--\r\n');
    const { status, body, seconds } = await answer;
    assert.deepEqual([status, body.data?.bytes], [200, bytes], JSON.stringify(body));
    assert.ok(seconds > 50);
  };
  const stuck = async (begin: string) => {
    const { sending, answer } = post();
    sending.write(begin);
    const { status, body, seconds } = await answer;
    assert.deepEqual(
      [status, body.error.code, body.error.message],
      [400, 'INVALID_REQUEST', 'file: took too long to arrive'],
    );
    assert.ok(seconds > 25 && seconds < 60, `${seconds} s`);
  };
  await Promise.all([slow(), stuck(`${HEAD}${'a'.repeat(10_000)}`), stuck('--edge\r\n')]);
  await until(() => arrivingIn(world.folder).length === 0);
});
