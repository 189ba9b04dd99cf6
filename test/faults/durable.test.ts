// @run sqlite: is about the sync of the data file
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import {
  copyFileSync,
  fdatasyncSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { StorageError } from '../../server/src/db/contract.ts';
import { openDatabase } from '../../server/src/db/open.ts';
import type { Checkpoint } from '../../server/src/db/sqlite/checkpoints.ts';
import type { SqliteDb } from '../../server/src/db/sqlite/index.ts';
import type { SyncFile } from '../../server/src/db/sqlite/walSync.ts';
import { find, insert } from '../../server/src/db/statements.ts';

const PAGE_BYTES = 4096;
/** Bytes of the header of the write-ahead log (sqlite.org/fileformat2.html, 4.1). */
const WAL_HEADER_BYTES = 32;

let folder: string;
let file: string;
let db: SqliteDb;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'palaver-durable-'));
  file = join(folder, 'palaver.db');
});
afterEach(async () => {
  await db.close();
  rmSync(folder, { recursive: true });
});

/** Numbers from 0 to 1 that repeat with the seed (the generator Mulberry32). */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const write = (name: string, bytes = 10) =>
  db.write((tx) => tx.run(insert('setting', { name, value: name.padEnd(bytes, '.') })));
const read = (name: string) => db.read.first(find('setting', { name }));

/** A sync that ends when told to, well or with an error. */
function heldSync(): { sync: SyncFile; begun: () => number; end: (error?: Error) => void } {
  const waiting: PromiseWithResolvers<void>[] = [];
  let begun = 0;
  return {
    begun: () => begun,
    sync() {
      begun++;
      waiting.push(Promise.withResolvers());
      return (waiting.at(-1) as PromiseWithResolvers<void>).promise;
    },
    end(error) {
      const held = waiting.shift() as PromiseWithResolvers<void>;
      if (error) held.reject(error);
      else held.resolve();
    },
  };
}

/** Resolves to true if the promise has not settled after some turns of the event loop. */
async function isPending(promise: Promise<unknown>): Promise<boolean> {
  let pending = true;
  const settled = () => {
    pending = false;
  };
  promise.then(settled, settled);
  for (let turns = 0; turns < 20; turns++) await turn();
  return pending;
}

/**
 * A disk that keeps nothing for certain but what was in the file when a sync began that has ended. At a power loss, each
 * block written later may be there or not.
 */
function forgetfulDisk(random: () => number): {
  sync: SyncFile;
  checkpoint: Checkpoint;
  checkpoints: () => number;
  losePower: (to: string) => void;
} {
  let kept = Buffer.alloc(0);
  let checkpoints = 0;
  return {
    async sync(fd) {
      const beginning = readFileSync(`${file}-wal`);
      for (let turns = Math.floor(random() * 4); turns > 0; turns--) await turn();
      fdatasyncSync(fd);
      kept = beginning;
    },
    checkpoints: () => checkpoints,
    async checkpoint() {
      checkpoints++;
      kept = readFileSync(`${file}-wal`);
      db.connection.scalar('pragma wal_checkpoint(passive)');
    },
    losePower(to) {
      // SQLite syncs the log before it copies pages out of it, and its header when it begins it anew.
      const now = readFileSync(`${file}-wal`);
      const isSameLog = kept.subarray(0, WAL_HEADER_BYTES).equals(now.subarray(0, WAL_HEADER_BYTES));
      const base = isSameLog ? kept : now.subarray(0, WAL_HEADER_BYTES);
      const left = Buffer.alloc(now.length);
      base.copy(left);
      for (let at = 0; at < now.length; at += PAGE_BYTES) {
        if (random() < 0.5) now.copy(left, at, at, at + PAGE_BYTES);
      }
      base.copy(left, 0, 0, WAL_HEADER_BYTES);
      copyFileSync(file, to);
      writeFileSync(`${to}-wal`, left);
    },
  };
}

test('what was acknowledged survives a loss of power at any moment', { timeout: 60_000 }, async () => {
  const seed = randomInt(2 ** 32);
  const random = generator(seed);
  const disk = forgetfulDisk(random);
  db = await openDatabase({ file, sync: disk.sync, checkpoint: disk.checkpoint });
  const acknowledged: string[] = [];
  let number = 0;
  let stopped = false;
  // So many that some are committed while the disk works, and others wait for it.
  const writers = Array.from({ length: 24 }, async () => {
    while (!stopped) {
      const name = `row ${number++}`;
      await write(name, 100 + Math.floor(random() * 3_000));
      acknowledged.push(name);
    }
  });
  for (let loss = 0; loss < 25; loss++) {
    for (let turns = 40 + Math.floor(random() * 40); turns > 0; turns--) await turn();
    const promised = [...acknowledged];
    const left = join(folder, `left-${loss}`);
    disk.losePower(left);
    const found = new DatabaseSync(left);
    assert.equal(Object.values(found.prepare('pragma integrity_check').get() ?? {})[0], 'ok', `seed ${seed}`);
    const names = new Set(
      found
        .prepare("select name from setting where name like 'row %'")
        .all()
        .map(({ name }) => name),
    );
    for (const name of promised) assert.ok(names.has(name), `${name} is lost, seed ${seed}`);
    found.close();
    for (const suffix of ['', '-wal', '-shm']) rmSync(left + suffix, { force: true });
  }
  stopped = true;
  await Promise.all(writers);
  assert.ok(acknowledged.length > 1_000, `${acknowledged.length} writes`);
  assert.ok(disk.checkpoints() > 1, `${disk.checkpoints()} checkpoints`);
});

test('a write is answered, and read, once its sync has ended', async () => {
  const { sync, begun, end } = heldSync();
  db = await openDatabase({ file, sync });
  const writing = write('first');
  assert.ok(await isPending(writing));
  assert.equal(begun(), 1);
  const reading = read('first');
  assert.ok(await isPending(reading));
  end();
  await writing;
  assert.equal((await reading)?.name, 'first');
});

test('the event loop turns, and other writes wait for the next commit, while the disk works', async () => {
  const { sync, begun, end } = heldSync();
  db = await openDatabase({ file, sync });
  const writing = write('first');
  assert.ok(await isPending(writing));
  const later = Promise.all([write('second'), write('third')]);
  assert.ok(await isPending(later));
  assert.equal(begun(), 1);
  end();
  await writing;
  assert.ok(await isPending(later));
  assert.equal(begun(), 2);
  end();
  await later;
});

test('many writes that wait are committed while the disk works, and acknowledged by the sync after', async () => {
  const { sync, begun, end } = heldSync();
  db = await openDatabase({ file, sync });
  const writing = write('first');
  assert.ok(await isPending(writing));
  const later = Promise.all(Array.from({ length: 20 }, (_, at) => write(`later ${at}`)));
  assert.ok(await isPending(later));
  const beside = new DatabaseSync(file, { readOnly: true });
  const committed = beside.prepare("select count(*) as count from setting where name like 'later %'").get();
  beside.close();
  assert.deepEqual([committed?.count, begun()], [20, 1]);
  const reading = read('later 7');
  end();
  await writing;
  assert.ok((await isPending(later)) && (await isPending(reading)));
  assert.equal(begun(), 2);
  end();
  await later;
  assert.equal((await reading)?.name, 'later 7');
});

test('what was committed while a sync was under way that fails is not acknowledged', async () => {
  const { sync, begun, end } = heldSync();
  db = await openDatabase({ file, sync });
  const writing = write('first');
  assert.ok(await isPending(writing));
  const later = Array.from({ length: 20 }, (_, at) => write(`later ${at}`));
  assert.ok(await isPending(Promise.race(later)));
  end(new Error('EIO: i/o error, fdatasync'));
  const outcomes = await Promise.allSettled([writing, ...later]);
  assert.deepEqual(new Set(outcomes.map(({ status }) => status)), new Set(['rejected']));
  assert.equal(begun(), 1);
});

test('after a failed sync nothing more is acknowledged, reads go on, and the health says so', async () => {
  const { sync, end } = heldSync();
  db = await openDatabase({ file, sync });
  const kept = write('kept');
  assert.ok(await isPending(kept));
  end();
  await kept;
  const doubtful = write('doubtful');
  assert.ok(await isPending(doubtful));
  end(new Error('EIO: i/o error, fdatasync'));
  await assert.rejects(doubtful, StorageError);
  await assert.rejects(write('later'), /failed to sync/);
  assert.equal((await read('kept'))?.name, 'kept');
  assert.equal(await read('later'), undefined);
  const { ok, reason } = await db.health();
  assert.equal(ok, false);
  assert.match(reason, /EIO/);
});

test('the log of a constant load stays short, and is copied to the file beside the event loop', async () => {
  db = await openDatabase({ file });
  const [large, rows] = [16_000, 60];
  let [longest, copied] = [0, 0];
  for (let round = 0; round < 120; round++) {
    await Promise.all(Array.from({ length: rows }, (_, row) => write(`row ${round} ${row}`, large)));
    longest = Math.max(longest, statSync(`${file}-wal`).size);
    copied = statSync(file).size;
  }
  const written = 120 * rows * large;
  assert.ok(longest < 80 * 2 ** 20, `${longest} bytes`);
  assert.ok(written > 100 * 2 ** 20 && copied > written / 4, `${copied} of ${written} bytes`);
});
