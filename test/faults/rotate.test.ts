import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { parseSecretKeys } from '../../server/src/lib/secretKeys.ts';
import { sealedOfOld } from '../support/backups.ts';
import { gone, Stage, until } from '../support/process.ts';
import { jsonOf } from '../support/remote.ts';
import { createDeps, find, insert, newRow, openData, q } from '../support/sources.ts';
import type { Json } from '../support/world.ts';

const VALUES = 4_000;
const KILLS = 4;

const stage = new Stage();
after(() => stage.close());

const folder = stage.folder();
const textOf = (index: number): string => `the secret of app ${index}`;

/** The data's current encryption keys. */
async function keys() {
  const data = await openData(await stage.place(folder));
  const row = await data.db.read.first(find('setting', { name: 'secretKey' }));
  await data.db.close();
  const file = join(folder, 'secret.key');
  return parseSecretKeys(row?.value ?? (existsSync(file) ? readFileSync(file, 'utf8') : '')) ?? [];
}

/** Decrypts all app secrets. Returns the prefixes of their values, and `old` for values without one. */
async function assertAllOpen(): Promise<{ marks: Set<string> }> {
  const { db, seal } = await openData(await stage.place(folder));
  try {
    const rows = await db.read.all(
      q.selectFrom('secret').select(['id', 'name', 'sealed']).where('kind', '=', 'appSecret'),
    );
    assert.equal(rows.length, VALUES);
    const marks = new Set<string>();
    for (const { id, name, sealed } of rows) {
      assert.equal(seal.open(sealed as string, { table: 'secret', column: 'sealed', id }), name);
      marks.add(/^2\.[\w-]{8}\./.exec(sealed as string)?.[0] ?? 'old');
    }
    return { marks };
  } finally {
    await db.close();
  }
}

async function fill(): Promise<void> {
  const first = await stage.start(folder);
  await first.end();
  const [key] = await keys();
  const data = await openData(await stage.place(folder));
  const server = await data.db.read.first(q.selectFrom('server').select('id'));
  const deps = createDeps();
  const app = newRow(deps);
  await data.db.write(async (tx) => {
    await tx.run(
      q.insertInto('app').values({ ...app, serverId: server?.id as string, name: 'App' } as never),
    );
    for (let index = 0; index < VALUES; index++) {
      const row = newRow(deps);
      const place = { table: 'secret', column: 'sealed', id: row.id };
      const text = textOf(index);
      const sealed = index % 2 ? data.seal.seal(text, place) : sealedOfOld(key as Uint8Array, text);
      await tx.run(
        insert('secret', {
          ...row,
          serverId: server?.id as string,
          kind: 'appSecret',
          name: text,
          roleId: null,
          userId: null,
          appId: app.id,
          preview: '…',
          expiresAt: null,
          creatorId: null,
          digest: null,
          earlierDigest: null,
          earlierPreview: null,
          earlierUntil: null,
          sealed,
        }),
      );
    }
  });
  await data.db.close();
}

test('a rotation that is killed repeatedly loses nothing and continues where it stopped', async () => {
  await fill();
  const [former] = await keys();
  const beside = await openData(await stage.place(folder));
  const rows = await beside.db.read.all(
    q.selectFrom('secret').select(['id', 'sealed']).where('kind', '=', 'appSecret').orderBy('id'),
  );
  for (let kill = 0; kill < KILLS; kill++) {
    const { id, sealed } = rows[Math.floor((VALUES * (kill + 0.5)) / (KILLS + 1))] as (typeof rows)[number];
    const child = await stage.spawn(['secret', 'rotate', '--data', folder]);
    // Values are re-encrypted in the order of their ids.
    await until(
      async () => (await beside.db.read.first(find('secret', { id })))?.sealed !== sealed,
      60_000,
      1,
    );
    child.kill('SIGKILL');
    await gone(child);
    const { marks } = await assertAllOpen();
    assert.equal(marks.size, 3, 'it was killed midway');
    assert.equal((await keys()).length, 2, 'an unfinished rotation creates no additional key');
  }
  await beside.db.close();
  const rotated = await stage.run(['secret', 'rotate', '--data', folder, '--json']);
  // A slow rotation reports its progress on standard error.
  const done = jsonOf({ ...rotated, stderr: rotated.stderr.replace(/^re-encrypting: .*\n/gm, '') });
  assert.ok(done.values > 0 && done.values < VALUES, `${done.values}`);
  const left = await keys();
  assert.equal(left.length, 1);
  assert.notDeepEqual(left[0], former);
  assert.equal((await assertAllOpen()).marks.size, 1);
  const { findings } = JSON.parse((await stage.run(['doctor', '--data', folder, '--json'])).stdout);
  assert.ok(findings.find(({ check }: Json) => check === 'secrets').ok);
});
