// @run sqlite: uses no database
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { zipOf } from '../../server/src/imports/export/zip.ts';

test('an archive fails if a file is removed before it is read', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'palaver-'));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const name of ['a', 'b']) writeFileSync(join(folder, name), randomBytes(1e6));
  const archive = await zipOf(folder);
  await new Promise((resolve) => archive.once('readable', resolve));
  rmSync(join(folder, 'b'));
  await assert.rejects(buffer(archive), { code: 'ENOENT' });
});
