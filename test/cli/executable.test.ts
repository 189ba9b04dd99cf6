// @run sqlite: tests the executable file
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  globSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { after, before, test } from 'node:test';
import { call, type Environment, gone, type Running, Stage, until } from '../support/process.ts';
import { listOf } from '../support/remote.ts';
import { assetsOf } from '../support/site.ts';
import { unlimited } from '../support/unlimited.ts';

// The executable as users get it: alone in an empty folder, on a machine without other programs.

const root = join(import.meta.dirname, '..', '..');
/** The scripts for the pages, as the executable serves them. */
const pageAssets = join(root, 'server', 'src', 'http', 'pages', 'assets');
const windows = process.platform === 'win32';
const stage = new Stage();
const folder = stage.folder();
const file = windows ? 'palaver.exe' : 'palaver';
const program = join(folder, file);
/** The home folder, and the folder for temporary files. */
const home = stage.folder();
const started: ChildProcess[] = [];

/** The current size on Linux is 161 MB, of which Node accounts for all but 12 MB. */
const MAX_BYTES = 190e6;

const environment: Environment = {
  PATH: '',
  HOME: home,
  TMPDIR: home,
  ...(windows && { SystemRoot: process.env.SystemRoot as string, TEMP: home, USERPROFILE: home }),
};

/** The key and the channel from the first start. */
let first: Pick<Running, 'key' | 'channelId'>;

function run(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(program, args, { cwd: folder, encoding: 'utf8', env: environment });
}

/** The standard output of a command that must succeed. */
function output(...args: string[]): string {
  const { status, stdout, stderr } = run(...args);
  assert.equal(status, 0, stderr);
  return stdout;
}

async function start(given: Environment = {}): Promise<Running> {
  const child = spawn(program, ['start', '--port', '0'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...environment, ...unlimited, ...given },
  });
  started.push(child);
  return stage.listening(child);
}

before(() => {
  const target = stage.folder();
  const args = ['scripts/run.js', 'scripts/package.ts', target];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  const made = globSync(`palaver-*-${process.platform}-${process.arch}*`, { cwd: target });
  assert.equal(made.length, 1);
  renameSync(join(target, made[0] as string), program);
  const licences = readFileSync(join(target, 'LICENCES.txt'), 'utf8');
  // Licences of packages, of a package without a licence text, of Node's bundled code, of the web client,
  // and of code in our sources.
  for (const text of [
    /Apache License/,
    /^fastify \d.*: MIT\n\nMIT License/m,
    /^abstract-logging \d.*: MIT\n\nMIT License/m,
    /^Node\.js \d.*: MIT\n\nNode\.js is licensed for use as follows/m,
    /^preact \d.*: MIT\n\n.*MIT/m,
    /^emojibase-data \d/m,
    /^SecLists: MIT/m,
  ])
    assert.match(licences, text);
});
after(async () => {
  for (const child of started) {
    child.kill('SIGKILL');
    await gone(child);
  }
  await stage.close();
});

test('a second build is identical to the first', () => {
  const target = stage.folder();
  const node = join(root, 'node_modules', 'node', 'bin', windows ? 'node.exe' : 'node');
  const args = [join(root, 'scripts', 'executable.ts'), target];
  const { status, stderr } = spawnSync(existsSync(node) ? node : process.execPath, args, {
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
  const [made = ''] = globSync(`palaver-*-${process.platform}-${process.arch}*`, { cwd: target });
  assert.ok(readFileSync(join(target, made)).equals(readFileSync(program)));
  rmSync(join(target, made));
});

test('the executable serves in an empty folder, and keeps messages across a restart', async () => {
  assert.deepEqual(readdirSync(folder), [file]);
  assert.ok(statSync(program).size < MAX_BYTES, `${statSync(program).size} bytes`);
  const server = await start();
  first = { key: server.key, channelId: server.channelId };
  const { key, channelId } = first;
  const body = { channelId, content: 'A zebra in one file' };
  const sent = await call(server, 'POST', '/api/v1/messages', { key, body });
  assert.equal(sent.status, 200, sent.text);

  const path = `/api/v1/channels/${channelId}/messages`;
  const found = await call(server, 'GET', `${path}?q=zebra`, { key });
  assert.deepEqual(
    found.body.data.map(({ id }: { id: string }) => id),
    [sent.body.data.id],
  );
  assert.equal((await call(server, 'GET', '/readyz')).status, 200);
  assert.match((await call(server, 'GET', '/metrics')).text, /^palaver_|^process_/m);
  assert.equal(await server.end(), 0, server.log());

  const again = await start();
  const messages = await listOf(again, key, path);
  assert.deepEqual(
    messages.map(({ content }) => content),
    [body.content],
  );
  assert.equal(await again.end(), 0, again.log());
});

test('pages are served from the executable, and a thread checkpoints the database while it serves', async () => {
  const server = await start();
  const { key, channelId } = first;
  const page = await call(server, 'GET', '/docs/');
  assert.match(page.text, /<title>/);
  const scripts = [...page.text.matchAll(/<script[^>]* src="([^"]+)"/g)];
  assert.ok(scripts.length > 0);
  for (const [, path] of scripts) {
    const script = await call(server, 'GET', new URL(path as string, `${server.url}/docs/`).pathname);
    assert.equal(script.status, 200);
    assert.equal(script.text, readFileSync(join(pageAssets, basename(path as string)), 'utf8'));
  }
  const shell = await call(server, 'GET', '/', { headers: { accept: 'text/html' } });
  const files = assetsOf(shell.text).filter((path) => path.startsWith('/web/'));
  assert.ok(files.length > 2, shell.text);
  for (const path of files) assert.equal((await call(server, 'GET', path)).status, 200, path);
  const guide = await call(server, 'GET', '/docs/guides/quick-start');
  assert.match(guide.text, /<h1[^>]*>/);
  assert.ok(Object.keys((await call(server, 'GET', '/openapi.json')).body.paths).length > 50);

  // Only a checkpoint lengthens this file while the server runs.
  const database = join(folder, 'data', 'palaver.db');
  const before = statSync(database).size;
  const content = 'x'.repeat(3000);
  await until(async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () =>
        call(server, 'POST', '/api/v1/messages', { key, body: { channelId, content } }),
      ),
    );
    for (const { status, text } of answers) assert.equal(status, 200, text);
    return statSync(database).size > before + 1e6;
  }, 60_000);
  assert.equal(await server.end(), 0, server.log());
});

test("the executable's commands work, with and without a running server", async () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  assert.equal(output('--version').trim(), version);
  // V8 would warn here if it rejected the code cache.
  for (const args of [['--version'], ['help'], ['key', '--help'], ['key', 'list']])
    assert.equal(run(...args).stderr, '', args.join(' '));
  assert.match(output('help'), /^Usage: palaver/);
  assert.match(output('completion', 'bash'), /complete .*palaver/);
  const server = await start();
  assert.equal(JSON.parse(output('key', 'list', '--json')).length, 1);
  output('backup', join(folder, 'one.backup'));
  const sent = spawnSync(program, ['send', '--channel', first.channelId, 'From a terminal'], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...environment, PALAVER_URL: server.url, PALAVER_KEY: first.key },
  });
  assert.equal(sent.status, 0, sent.stderr);
  const weak = await call(server, 'POST', '/api/people/sign-up', {
    headers: { 'palaver-server': 'none' },
    body: { username: 'newcomer', password: 'Summer2026' },
  });
  assert.equal(
    weak.body.error.details[0].reason,
    'weak_password',
    'the list of common passwords is included',
  );
  assert.equal(await server.end(), 0, server.log());
  output('restore', join(folder, 'one.backup'), '--data', join(folder, 'other'));
  assert.match(output('doctor', '--data', join(folder, 'other')), /ok +data: schema \d+/);
  assert.match(output('migrate', '--help'), /--to/);
  for (const made of ['other', 'one.backup']) rmSync(join(folder, made), { recursive: true });
});

test('--version takes at most three times as long as starting Node, and key list ten times', (t) => {
  const installed = join(root, 'node_modules', 'node', 'bin', windows ? 'node.exe' : 'node');
  const node = existsSync(installed) ? installed : process.execPath;
  const msOf = (command: string, args: string[]): number => {
    const from = performance.now();
    const { status } = spawnSync(command, args, { cwd: folder, env: environment });
    assert.equal(status, 0);
    return performance.now() - from;
  };
  const empty = join(stage.folder(), 'empty.mjs');
  writeFileSync(empty, '');
  // Compares consecutive starts, because other programs share the machine.
  const ratios: { version: number; list: number }[] = [];
  const median = (of: 'version' | 'list') =>
    ratios.map((one) => one[of]).sort((one, other) => one - other)[ratios.length >> 1] as number;
  const isFast = () => median('version') <= 3 && median('list') <= 10;
  while (ratios.length < 9 || (ratios.length < 45 && !isFast())) {
    const bare = msOf(node, [empty]);
    ratios.push({
      version: msOf(program, ['--version']) / bare,
      list: msOf(program, ['key', 'list']) / bare,
    });
  }
  const times = `--version ${median('version').toFixed(1)}, key list ${median('list').toFixed(1)} times Node's start`;
  t.diagnostic(times);
  assert.ok(isFast(), times);
});

test('the executable includes the PostgreSQL and Valkey clients', async () => {
  const doctor = run('doctor', '--database', 'postgres://palaver@127.0.0.1:1/palaver');
  assert.equal(doctor.status, 1);
  assert.match(doctor.stdout + doctor.stderr, /127\.0\.0\.1:1|ECONNREFUSED/);
  const server = await start({ REDIS_URL: 'redis://127.0.0.1:1' });
  await until(() => /ECONNREFUSED.*Valkey is unavailable/.test(server.log()));
  assert.equal(await server.end(), 0, server.log());
});

test('the executable unpacks no files', () => {
  assert.deepEqual(readdirSync(home), []);
  assert.deepEqual(readdirSync(folder).sort(), ['data', file].sort());
});
