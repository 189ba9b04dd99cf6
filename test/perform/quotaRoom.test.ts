// @run sqlite: uses no database
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Reader } from '../../server/src/db/contract.ts';
import {
  requireBytes,
  requireFileRoom,
  requirePersonRoom,
  requireRoom,
  requireStorageRoom,
} from '../../server/src/limits/room.ts';
import { quotasFrom } from '../support/sources.ts';

// The last row and the last byte of each quota.

const MEGABYTE = 1_000_000;

/** A database whose counts and sums all return this row. */
const returning = (row: object | undefined): Reader => ({ first: async () => row }) as unknown as Reader;
const usedUp = { code: 'INVALID_REQUEST', message: /used up/ };

test('a server can have as many rows as its quota, and any number if the quota is 0', async () => {
  const add = (channels: number, rows: number) =>
    requireRoom(returning({ rows }), quotasFrom({ channels }), 'server', ['channels']);
  await add(1, 0);
  await assert.rejects(add(1, 1), usedUp);
  await add(5, 4);
  await assert.rejects(add(5, 5), usedUp);
  await add(0, 1_000_000);
});

test('one quota that is used up is enough to refuse a write', async () => {
  const quotas = quotasFrom({ channels: 5, roles: 3, apps: 0 });
  const message = 'the quota "roles" is used up: a server can have 3 roles';
  const refused = requireRoom(returning({ rows: 3 }), quotas, 'server', ['channels', 'apps', 'roles']);
  await assert.rejects(refused, { message: new RegExp(message) });
});

test('a field can have as many bytes of JSON as its quota', () => {
  const write = (metaBytes: number, body: object) =>
    requireBytes(quotasFrom({ metaBytes }), 'app', body as Record<string, unknown>);
  write(4, { meta: 'ü' });
  assert.throws(() => write(3, { meta: 'ü' }), { code: 'INVALID_REQUEST', message: /has 4 bytes/ });
  assert.throws(() => write(1, { meta: 'ü' }), { code: 'INVALID_REQUEST' });
  write(0, { meta: 'x'.repeat(1_000_000) });
  write(1, {});
});

/** The check of each limit on files, for a limit in megabytes, the bytes in use, and the bytes to add. */
const limits = {
  server: (most: number, db: Reader, bytes: number) =>
    requireFileRoom(db, quotasFrom({ fileMegabytes: most }), 'server', bytes),
  person: (most: number, db: Reader, bytes: number) =>
    requirePersonRoom(db, { personMegabytes: most, storageMegabytes: 0 }, 'user', bytes),
  platform: (most: number, db: Reader, bytes: number) =>
    requireStorageRoom(db, { personMegabytes: 0, storageMegabytes: most }, bytes),
};

for (const [whose, add] of Object.entries(limits))
  test(`the files of a ${whose} can fill the limit to the last byte`, async () => {
    const nothing = returning(undefined);
    await add(1, nothing, MEGABYTE);
    await assert.rejects(add(1, nothing, MEGABYTE + 1), usedUp);
    const some = returning({ bytes: 5 });
    await add(2, some, 2 * MEGABYTE - 5);
    await assert.rejects(add(2, some, 2 * MEGABYTE - 4), usedUp);
    await add(0, some, 1e12);
  });
