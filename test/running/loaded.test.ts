// @run sqlite: counts what a node on the data folder loads
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Loaded } from '../support/loadedPackages.ts';
import { call, type Environment, gone, inherited, type Running, Stage } from '../support/process.ts';

const stage = new Stage();
after(() => stage.close());

/**
 * Maximum number of package files that a serving node loads. Each takes about a sixth of a millisecond and 30 KB at
 * startup.
 */
const MAX_FILES = 512;
/**
 * Maximum number of Palaver's own files. Each takes about a third of a millisecond. Code that few requests
 * need is imported when they need it (`late`). About twenty of the files are for upkeep, and are loaded only
 * on a busy machine, where the test takes longer.
 */
const MAX_OWN_FILES = 750;
const FETCH = 'NativeModule internal/deps/undici/undici';

/** Existing data with a key and a channel, because the start that creates data loads more. */
const made = makeData();

async function makeData() {
  const folder = stage.folder();
  const server = await stage.start(folder);
  const { key, channelId } = server;
  assert.equal(await server.end(), 0);
  return { folder, key, channelId };
}

/** The modules that a node has loaded when it exits, after it served a send, a read and the requests of `more`. */
async function loadedBy(environment: Environment = {}, more = async (_: Running) => {}): Promise<Loaded> {
  const { folder, key, channelId } = await made;
  const { environment: watching, loaded } = stage.watch();
  const server = await stage.start(folder, { environment: { ...watching, ...environment } });
  const body = { channelId, content: 'Hello' };
  assert.equal((await call(server, 'POST', '/api/v1/messages', { key, body })).status, 200);
  const path = `/api/v1/channels/${channelId}/messages`;
  assert.equal((await call(server, 'GET', path, { key })).body.data[0].content, 'Hello');
  await more(server);
  assert.equal(await server.end(), 0);
  return loaded();
}

test('a node loads only what serves requests', async () => {
  const { packages, own, builtins } = await loadedBy();
  assert.deepEqual(
    [
      '@opentelemetry/api',
      'marked',
      'pg',
      'ioredis',
      'typebox',
      'yaml',
      'request-filtering-agent',
      'standardwebhooks',
    ].filter((name) => name in packages),
    [],
  );
  assert.deepEqual(
    Object.keys(packages).filter((name) => /^@(scalar|redocly|stoplight)\//.test(name)),
    [],
  );
  assert.ok(!builtins.includes(FETCH), "Node's HTTP client is not loaded before there is a webhook");
  const files = Object.values(packages).reduce((sum, count) => sum + count);
  assert.ok(files > 300 && files <= MAX_FILES, `${files} files from packages`);
  assert.ok(own > 200 && own <= MAX_OWN_FILES, `${own} of Palaver's own files`);
});

test('threads start from plain JavaScript: each would load a 16 MB compiler to strip types', () => {
  const server = join(import.meta.dirname, '..', '..', 'server', 'src');
  const sources = globSync('**/*.ts', { cwd: server }).map((file) => ({
    file,
    code: readFileSync(join(server, file), 'utf8'),
  }));
  const started = sources.flatMap(({ code }) =>
    [...code.matchAll(/startThread\(\s*new URL\('([^']+)'/g)].map(([, script]) => script),
  );
  assert.ok(started.length > 0);
  assert.deepEqual(
    // The executable bundles only scripts named *Worker.js.
    started.filter((script) => !script?.endsWith('Worker.js')),
    [],
  );
  assert.deepEqual(
    sources.filter(({ code }) => code.includes('new Worker(')).map(({ file }) => file),
    [join('lib', 'thread.ts')],
  );
});

test('the pages are rendered on first use, with a single package for Markdown', async () => {
  const { packages } = await loadedBy({}, async (server) => {
    assert.equal((await call(server, 'GET', '/docs/')).status, 200);
  });
  assert.equal(packages.marked, 1);
});

test('compiled code is cached next to the program, unless an environment variable names another folder', async () => {
  const program = join(import.meta.dirname, '..', '..');
  const { cache } = await loadedBy({ NODE_COMPILE_CACHE: '' });
  assert.ok(cache?.startsWith(join(program, 'node_modules', '.cache', 'node')), String(cache));
  const folder = stage.folder();
  const other = await loadedBy({ NODE_COMPILE_CACHE: folder });
  assert.ok(other.cache?.startsWith(folder), String(other.cache));
});

test('a node serves where compiled code cannot be cached', async () => {
  const file = join(stage.folder(), 'file');
  writeFileSync(file, '');
  await loadedBy({ NODE_COMPILE_CACHE: join(file, 'folder') });
  await loadedBy({ NODE_COMPILE_CACHE: '', NODE_DISABLE_COMPILE_CACHE: '1' });
});

/** The number of files that a node started from the checkout has compiled when it exits. */
async function compiledBy(options: string): Promise<number> {
  const { folder } = await made;
  const cache = stage.folder();
  const program = join(import.meta.dirname, '..', '..', 'server', 'bin', 'palaver.js');
  const env = { ...inherited(), NODE_OPTIONS: options, NODE_COMPILE_CACHE: cache };
  const child = spawn(process.execPath, [program, 'start', '--data', folder, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env,
  });
  const [line] = await once(child.stdout, 'data');
  assert.match(String(line), /Palaver is running at/);
  child.kill();
  assert.equal(await gone(child), 0);
  return globSync('**/*', { cwd: cache, withFileTypes: true }).filter((entry) => entry.isFile()).length;
}

test('a checkout starts from a bundle, and from its sources with options that watch code', async () => {
  const bundled = await compiledBy('');
  assert.ok(bundled > 5 && bundled < 50, `${bundled} bundled files`);
  const sources = await compiledBy('--import=data:text/javascript,');
  assert.ok(sources > 600, `${sources} sources`);
});
