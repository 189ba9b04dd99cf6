// @run sqlite: tests syncing the data file
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
import { find, insert, remove } from '../../server/src/db/statements.ts';

const PAGE_BYTES = 4096;
/** The size of the header of the write-ahead log (sqlite.org/fileformat2.html, 4.1). */
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

/** Seeded random numbers from 0 to 1 (Mulberry32). */
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

/** A sync that the test completes, successfully or with an error. */
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
 * A disk that only guarantees what the file contained when its last completed sync began. After a power loss, any
 * block written later may or may not be there.
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
      // SQLite syncs the log before copying pages out of it, and syncs the log's header when it restarts the log.
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

test('acknowledged writes survive a power loss at any moment', { timeout: 60_000 }, async () => {
  const seed = randomInt(2 ** 32);
  const random = generator(seed);
  const disk = forgetfulDisk(random);
  db = await openDatabase({ file, sync: disk.sync, checkpoint: disk.checkpoint });
  const acknowledged: string[] = [];
  let number = 0;
  let stopped = false;
  // There are enough writers for some to commit during a sync while others wait for it.
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

test('a write is acknowledged and visible once its sync has completed', async () => {
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

test('during a sync, the event loop runs and other writes wait for the next commit', async () => {
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

test('many waiting writes are committed during a sync, and acknowledged by the next one', async () => {
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

test('writes that change nothing need no sync, but wait until earlier commits are durable', async () => {
  const { sync, begun, end } = heldSync();
  db = await openDatabase({ file, sync });
  const removeMissing = () => db.write((tx) => tx.count(remove('setting', { name: 'missing' })));
  assert.equal(await removeMissing(), 0);
  assert.equal(begun(), 0);
  const writing = write('first');
  assert.ok(await isPending(writing));
  const later = Promise.all(Array.from({ length: 20 }, removeMissing));
  assert.ok(await isPending(later));
  end();
  await Promise.all([writing, later]);
  assert.equal(begun(), 1);
});

test('writes committed during a sync that fails are not acknowledged', async () => {
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

test('after a failed sync, no further writes are acknowledged, reads continue, and the health check fails', async () => {
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

test('under constant load, the write-ahead log stays short and is checkpointed off the event loop', async () => {
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
