// @run sqlite: opens no data
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { gunzipSync } from 'node:zlib';
import { compress } from '../../server/src/http/encoding.ts';

const ANSWERS = 200;
const BYTES = 200_000;
/** So that the young generation is collected every few answers. */
const GARBAGE = 20_000;
const YOUNG_MEGABYTES = 24;

/** The megabytes outside of V8's heap by which many answers make a process grow while the old generation is not collected. */
async function growthBy(): Promise<number> {
  const before = process.memoryUsage().arrayBuffers;
  let most = before;
  for (let number = 0; number < ANSWERS; number++) {
    await compress('gzip', Buffer.alloc(BYTES, `answer ${number}`), 1);
    const garbage: object[] = [];
    while (garbage.length < GARBAGE) garbage.push({ number });
    most = Math.max(most, process.memoryUsage().arrayBuffers);
  }
  return (most - before) / 2 ** 20;
}

if (isMainThread)
  test('an answer that was compressed is let go of at once', async () => {
    assert.equal(gunzipSync(await compress('gzip', Buffer.from('plain'), 1)).toString(), 'plain');
    // A thread has a heap of its own.
    const worker = new Worker(import.meta.filename, {
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MEGABYTES },
    });
    const [grown] = (await once(worker, 'message')) as [number];
    assert.ok(grown < 25, `${grown.toFixed(1)} MB waited to be collected`);
  });
else parentPort?.postMessage(await growthBy());
