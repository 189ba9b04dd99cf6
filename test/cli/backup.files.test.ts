// @run sqlite: copies the data file
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { pathIn } from '../../server/src/files/folder.ts';
import { dataOf } from '../support/expect.ts';
import { png } from '../support/pictures.ts';
import { call, type Running, Stage } from '../support/process.ts';
import { jsonOf } from '../support/remote.ts';
import { content, plainBytes, storedIn, upload } from '../support/uploads.ts';
import { type Json, World } from '../support/world.ts';

// Uploaded files in backups and restores, and how `palaver doctor` reports them.

const stage = new Stage();
let folder: string;
let server: Running;
let sent: Json;
/** The ids of all files, including that of an icon. */
let all: string[];
const BYTES = plainBytes(2_500_000);
before(async () => {
  folder = stage.folder();
  server = await stage.start(folder);
  sent = dataOf(await upload(server as never, server, BYTES, 'notes.txt'));
  await fetch(`${server.url}/api/v1/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ channelId: server.channelId, content: 'See', attachmentIds: [sent.id] }),
  });
  const { data: me } = (await call(server, 'GET', '/api/v1/users/me', { key: server.key })).body;
  const path = `/servers/${me.server.id}/icon`;
  const { icon } = dataOf(
    await upload(server as never, server, Buffer.from(png(4, 4)), 'icon.png', { path }),
  );
  all = [sent.id, icon.split('/').at(-1)].sort();
});
after(() => stage.close());

const run = (...args: string[]) => stage.run(args);
const doctor = async (data: string): Promise<Json> =>
  JSON.parse((await run('doctor', '--json', '--data', data)).stdout);
const filesOf = ({ findings }: Json): Json =>
  findings.find(({ check }: { check: string }) => check === 'files');

test('a backup includes the files, and a restore puts them back, into new data and over existing data', async () => {
  const file = join(stage.folder(), 'with-files.backup');
  const made = jsonOf(await run('backup', file, '--data', folder, '--json'));
  assert.deepEqual([made.files, made.bytes > BYTES.length], [2, true]);
  for (const target of [join(stage.folder(), 'restored'), stage.folder()]) {
    const other = await stage.start(target);
    const foreign = dataOf(await upload(other as never, other, plainBytes(10)));
    await other.end();
    assert.equal((await run('restore', file, '--data', target, '--force')).code, 0);
    assert.deepEqual(storedIn(target), all, "the previous data's file is deleted");
    assert.ok(!storedIn(target).includes(foreign.id));
    assert.deepEqual(readFileSync(pathIn(join(target, 'files'), sent.id)), BYTES);
    assert.equal(statSync(pathIn(join(target, 'files'), sent.id)).mode & 0o077, 0);
    // The database does not store the bytes a second time.
    assert.ok(statSync(join(target, 'palaver.db')).size < BYTES.length);
    assert.match(filesOf(await doctor(target)).message, /^2 files, 3 MB/);
    const running = await stage.start(target);
    const given = await content(running, server, sent.id);
    assert.deepEqual([given.status, given.bytes.equals(BYTES)], [200, true]);
    await running.end();
  }
});

test('a name in a backup that is not a file key is never used as a path', async () => {
  const file = join(stage.folder(), 'hostile.backup');
  assert.equal((await run('backup', file, '--data', folder)).code, 0);
  const database = new DatabaseSync(file);
  const add = database.prepare('insert into file (key, bytes) values (?, ?)');
  for (const key of ['../../evil', '/tmp/evil', 'evil', `${sent.id}/../evil`, `${sent.id}.evil`])
    add.run(key, BYTES);
  database.close();
  const target = join(stage.folder(), 'target');
  assert.equal((await run('restore', file, '--data', target)).code, 0);
  assert.deepEqual(storedIn(target), all);
  assert.ok(!readdirSync(join(target, '..')).includes('evil'));
});

test('the doctor reports missing and incomplete files', async () => {
  const file = join(stage.folder(), 'copy.backup');
  const target = join(stage.folder(), 'damaged');
  assert.equal((await run('backup', file, '--data', folder)).code, 0);
  assert.equal((await run('restore', file, '--data', target)).code, 0);
  rmSync(pathIn(join(target, 'files'), sent.id));
  const { ok, message } = filesOf(await doctor(target));
  assert.deepEqual([ok, message.startsWith('1 of 2 files are missing or incomplete')], [false, true]);
  const world = await World.open({ place: { data: target, database: '', secretKey: '' } });
  assert.equal((await content(world, server, sent.id)).status, 404);
  await world.close();
});
