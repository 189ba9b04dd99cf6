import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Incoming } from '../../server/src/files/incoming.ts';
import { inspect } from '../../server/src/files/media/inspect.ts';
import { typeOf } from '../../server/src/files/media/type.ts';
import { changed, randomFrom, sampleFiles } from '../support/fuzzedFiles.ts';
import { inShortSlices } from '../support/slices.ts';

// Feeds almost valid files to the image and video parsers. More rounds: PALAVER_TEST_ROUNDS=100000.

const ROUNDS = Number(process.env.PALAVER_TEST_ROUNDS ?? 400);

/** The slices of a second pass are not measured. */
const turn = async () => {};

const folder = mkdtempSync(join(tmpdir(), 'palaver-fuzz-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const incoming = new Incoming(join(folder, 'incoming'));

test(`each of ${ROUNDS} files is read in short slices, and its cleaned version is a part of it that reads the same`, async () => {
  const samples = await sampleFiles();
  const random = randomFrom(ROUNDS);
  const path = join(folder, 'file');
  const types = new Set<string>();
  for (let round = 0; round < ROUNDS; round++) {
    const sample = samples[round % samples.length] as Buffer;
    const given = changed(sample, samples[random(samples.length)] as Buffer, random);
    writeFileSync(path, given);
    const { result } = await inShortSlices(`round ${round} of ${ROUNDS}`, async (turn) => {
      const found = await inspect(path, given.length, turn);
      return { found, kept: await incoming.assemble({ path, bytes: given.length }, found.pieces, turn) };
    });
    const { found, kept } = result;
    const say = `round ${round} of ${ROUNDS}: ${found.type}`;
    types.add(found.type);
    let end = 0;
    for (const piece of found.pieces) {
      if (piece instanceof Uint8Array) continue;
      assert.ok(piece.from >= end && piece.from <= piece.to && piece.to <= given.length, say);
      end = piece.to;
    }
    assert.ok(kept.bytes <= given.length + 64, `${say} grew from ${given.length} to ${kept.bytes}`);
    // A second pass finds the same: nothing was hidden behind the removed parts, and the type equals the served type.
    const again = await inspect(kept.path, kept.bytes, turn);
    assert.deepEqual([again.type, again.width, again.height], [found.type, found.width, found.height], say);
    const twice = await incoming.assemble(kept, again.pieces, turn);
    assert.deepEqual(readFileSync(twice.path), readFileSync(kept.path), say);
    if (found.type !== 'application/octet-stream')
      assert.equal(typeOf(readFileSync(kept.path)), found.type, say);
    rmSync(kept.path);
    rmSync(twice.path);
  }
  assert.equal(types.size, 6, [...types].join(', '));
});
