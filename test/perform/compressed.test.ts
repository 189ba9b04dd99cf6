// @run sqlite: uses no database
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { compress } from '../../server/src/http/encoding.ts';
import { isMeasured, measured, report } from '../support/measured.ts';

const ANSWERS = 200;
const BYTES = 200_000;
/** Garbage objects per response, enough that V8 collects the young generation every few responses. */
const GARBAGE = 20_000;

/**
 * The memory outside V8's heap, in MB, that many responses add to a process while the old generation is not
 * collected.
 */
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

if (isMeasured) report(await growthBy());
else
  test('the memory of a compressed response is released immediately', async () => {
    assert.equal(gunzipSync(await compress('gzip', Buffer.from('plain'), 1)).toString(), 'plain');
    const grown = await measured(import.meta.filename);
    assert.ok(grown < 25, `${grown.toFixed(1)} MB were not released`);
  });
