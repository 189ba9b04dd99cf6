import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import sharp from 'sharp';
import { Incoming } from '../../server/src/files/incoming.ts';
import { inspect } from '../../server/src/files/media/inspect.ts';
import { typeOf } from '../../server/src/files/media/type.ts';
import { box, chunk, photo, png } from '../support/pictures.ts';

// Feeds almost valid files to the image and video parsers. More rounds: PALAVER_TEST_ROUNDS=100000.

const ROUNDS = Number(process.env.PALAVER_TEST_ROUNDS ?? 400);
/** The time limit for one file, in ms: more would be an endless loop. */
const MAX_MS = 2_000;

const folder = mkdtempSync(join(tmpdir(), 'palaver-fuzz-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const incoming = new Incoming(join(folder, 'incoming'));

/** Random numbers that are the same in each run with the same number of rounds. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Numbers that trip up parsers. */
const odd = [0, 1, 2, 7, 8, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff];

function changed(given: Buffer, other: Buffer, random: (below: number) => number): Buffer {
  let bytes = Buffer.from(given);
  for (let left = 1 + random(4); left > 0 && bytes.length > 8; left--) {
    const place = random(bytes.length - 8);
    const number = odd[random(odd.length)] as number;
    switch (random(7)) {
      case 0:
        bytes[place] = random(256);
        break;
      case 1:
        bytes.writeUInt32BE(number, place);
        break;
      case 2:
        bytes.writeUInt32LE(number, place);
        break;
      case 3:
        bytes.writeUInt16BE(number & 0xffff, place);
        break;
      case 4:
        bytes = bytes.subarray(0, place + 1);
        break;
      case 5:
        bytes = Buffer.concat([bytes.subarray(0, place), bytes.subarray(random(place + 1))]);
        break;
      default:
        bytes = Buffer.concat([bytes.subarray(0, place), other.subarray(random(other.length))]);
    }
    if (bytes.length > 2_000_000) return bytes.subarray(0, 2_000_000);
  }
  return bytes;
}

test(`each of ${ROUNDS} files is read in time, and its cleaned version is part of the original and reads the same`, async () => {
  const track = Buffer.alloc(84);
  track.writeUInt16BE(640, 76);
  track.writeUInt16BE(360, 80);
  const samples = [
    await photo().jpeg().toBuffer(),
    await photo().jpeg({ progressive: true }).toBuffer(),
    await photo().webp().toBuffer(),
    await sharp({ create: { width: 9, height: 9, channels: 4, background: '#3698' } })
      .webp({ lossless: true })
      .toBuffer(),
    await photo().gif().toBuffer(),
    png(30, 20, chunk('tEXt', Buffer.from('Comment\0text'))),
    Buffer.concat([
      box('ftyp', Buffer.from('isom\0\0\0\0isomavc1')),
      box(
        'moov',
        box('trak', box('tkhd', track)),
        box('trak', box('tkhd', Buffer.alloc(84)), box('udta', box('name'))),
      ),
      box('uuid', Buffer.alloc(100)),
      box('mdat', Buffer.alloc(300)),
    ]),
  ];
  const random = randomFrom(ROUNDS);
  const path = join(folder, 'file');
  const types = new Set<string>();
  for (let round = 0; round < ROUNDS; round++) {
    const sample = samples[round % samples.length] as Buffer;
    const given = changed(sample, samples[random(samples.length)] as Buffer, random);
    writeFileSync(path, given);
    const begun = performance.now();
    const found = await inspect(path, given.length);
    const kept = await incoming.assemble(path, found.pieces);
    const say = `round ${round} of ${ROUNDS}: ${found.type}`;
    assert.ok(performance.now() - begun < MAX_MS, say);
    types.add(found.type);
    let end = 0;
    for (const piece of found.pieces) {
      if (piece instanceof Uint8Array) continue;
      assert.ok(piece.from >= end && piece.from <= piece.to && piece.to <= given.length, say);
      end = piece.to;
    }
    assert.ok(kept.bytes <= given.length + 64, `${say} grew from ${given.length} to ${kept.bytes}`);
    // A second pass finds the same: nothing was hidden behind the removed parts, and the type is the one
    // that it is served with.
    const again = await inspect(kept.path, kept.bytes);
    assert.deepEqual([again.type, again.width, again.height], [found.type, found.width, found.height], say);
    const twice = await incoming.assemble(kept.path, again.pieces);
    assert.deepEqual(readFileSync(twice.path), readFileSync(kept.path), say);
    if (found.type !== 'application/octet-stream')
      assert.equal(typeOf(readFileSync(kept.path)), found.type, say);
    rmSync(kept.path);
    rmSync(twice.path);
  }
  assert.equal(types.size, 6, [...types].join(', '));
});
