// @run sqlite: tests the files of the package
import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
} from 'node:fs';
import { builtinModules } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { call, gone, inherited, Stage } from '../support/process.ts';
import { listOf } from '../support/remote.ts';
import { assetsOf } from '../support/site.ts';

// The package as users get it: packed, and installed in an empty folder.

const root = join(import.meta.dirname, '..', '..');
const stage = new Stage();
const target = stage.folder();
const packed = join(target, 'palaver');
const project = stage.folder();
const installed = join(project, 'node_modules', 'palaver');
const started: ChildProcess[] = [];

const { NODE_EXTRA_CA_CERTS: certificates } = process.env;
/**
 * The user's shell: without the settings of the surrounding `npm test`, and with this process's Node first in the
 * PATH. npm may need the machine's certificates to reach the registry through a proxy.
 */
const environment = {
  ...(certificates && { NODE_EXTRA_CA_CERTS: certificates }),
  ...Object.fromEntries(
    Object.entries(inherited()).filter(([name]) => !/^npm_(?!config_)|^npm_config_local_prefix$/.test(name)),
  ),
  PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
};

/**
 * The longest time for an install. A registry that does not respond within this time counts as unreachable.
 */
const INSTALL_MS = 120_000;
const unreachable =
  /EAI_AGAIN|ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ENOTCACHED|ENOTFOUND|ETIMEDOUT/;

/**
 * Installs the tarball as the README says; without a registry, links the checkout's dependencies next to
 * it.
 */
function install(tarball: string): void {
  const options = ['--prefix', project, '--prefer-offline', '--no-audit', '--no-fund', '--fetch-retries=0'];
  const { status, stderr, error } = spawnSync('npm', ['install', ...options, tarball], {
    cwd: project,
    encoding: 'utf8',
    env: environment,
    timeout: INSTALL_MS,
  });
  if (status === 0) return;
  assert.match(`${error ?? ''}${stderr}`, unreachable);
  console.error('the registry cannot be reached: the package is linked to the dependencies of the checkout');
  const from = join(root, 'node_modules');
  cpSync(packed, installed, { recursive: true });
  for (const name of readdirSync(from).filter((each) => !each.startsWith('.') && each !== 'palaver'))
    symlinkSync(join(from, name), join(project, 'node_modules', name));
  mkdirSync(join(project, 'node_modules', '.bin'));
  chmodSync(join(installed, 'bin', 'palaver.js'), 0o755);
  symlinkSync('../palaver/bin/palaver.js', join(project, 'node_modules', '.bin', 'palaver'));
}

const scripts = () => globSync('{bin,src}/**/*.js', { cwd: packed });
const read = (...path: string[]) => readFileSync(join(...path), 'utf8');

before(() => {
  const args = ['scripts/run.js', 'scripts/package.ts', target, 'tarball'];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
});
after(async () => {
  for (const child of started) {
    // The process group: npx, and the server that it has started.
    if (child.exitCode === null && child.signalCode === null) process.kill(-(child.pid as number), 'SIGKILL');
    await gone(child);
  }
  await stage.close();
});

test('the package contains every server file as JavaScript, with the same line numbers', () => {
  const sources = globSync('{bin,src}/**/*.{ts,js}', { cwd: join(root, 'server') });
  assert.deepEqual(scripts().sort(), sources.map((file) => file.replace(/\.ts$/, '.js')).sort());
  for (const source of sources) {
    const lines = (text: string) => text.split('\n').length;
    const code = read(packed, source.replace(/\.ts$/, '.js'));
    assert.equal(lines(code), lines(read(root, 'server', source)), source);
  }
  assert.deepEqual(globSync('**/*.ts', { cwd: packed }), []);
  const shown = (folder: string) => globSync('src/**/*.{css,svg,ico}', { cwd: folder }).sort();
  assert.deepEqual(shown(packed), shown(join(root, 'server')));
});

test("the package has the server's dependencies in the versions from the lock file, and no others", () => {
  const {
    dependencies,
    devDependencies,
    scripts: commands,
    engines,
  } = JSON.parse(read(packed, 'package.json'));
  const server = JSON.parse(read(root, 'server', 'package.json'));
  const { packages } = JSON.parse(read(root, 'package-lock.json'));
  assert.deepEqual(Object.keys(dependencies).sort(), Object.keys(server.dependencies).sort());
  for (const [name, version] of Object.entries(dependencies))
    assert.equal(
      version,
      (packages[`server/node_modules/${name}`] ?? packages[`node_modules/${name}`]).version,
      name,
    );
  assert.deepEqual([devDependencies, commands, engines], [undefined, undefined, { node: '>=24' }]);
  for (const file of scripts()) {
    for (const [, name = ''] of read(packed, file).matchAll(/\b(?:from |import\()'([^']+)'/g)) {
      if (name.startsWith('.')) assert.ok(existsSync(join(packed, dirname(file), name)), `${file}: ${name}`);
      else if (!name.startsWith('node:') && !builtinModules.includes(name)) {
        const [first = '', second] = name.split('/');
        const needed = first.startsWith('@') ? `${first}/${second}` : first;
        // The one optional package, which an operator may add.
        assert.ok(needed in dependencies || needed === 'sharp', `${file}: ${name}`);
      }
    }
  }
});

test('the package includes the licences of everything in the built web client', () => {
  const licences = read(packed, 'web', 'dist', 'licences.txt');
  for (const name of ['preact', 'openapi-fetch', 'highlight.js', 'emojibase-data', 'lucide-static'])
    assert.match(licences, new RegExp(`^${name} \\d`, 'm'));
});

test('with an old Node, the package explains what to do', () => {
  const older = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.1.0' } })`;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      '--import',
      `data:text/javascript,${encodeURIComponent(older)}`,
      join(packed, 'bin', 'palaver.js'),
      'start',
    ],
    { cwd: stage.folder(), encoding: 'utf8', env: environment },
  );
  assert.deepEqual([status, stdout], [1, '']);
  assert.match(
    stderr,
    /^Palaver needs Node 24 or newer, and this is 20\.1\.0: run "npm install node@26" .+\n$/,
  );
});

test('the package starts in an empty folder, and the curl command that it prints sends a message', async () => {
  const [tarball = ''] = globSync('palaver-*.tgz', { cwd: target });
  install(join(target, tarball));
  const child = spawn('npx', ['palaver', 'start', '--port', '0'], {
    cwd: project,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: environment,
    detached: true,
  });
  started.push(child);
  const server = await stage.listening(child);
  const [curl = ''] = server.output().match(/^ *curl .+$/gm) ?? [];
  const { stdout } = await promisify(execFile)('sh', ['-c', `${curl} --silent --show-error --fail`]);
  const sent = JSON.parse(stdout);
  const messages = await listOf(server, server.key, `/api/v1/channels/${server.channelId}/messages`);
  assert.deepEqual(
    messages.map(({ id, content }) => [id, content]),
    [[sent.data.id, 'Hello, world']],
  );
  assert.ok(existsSync(join(project, 'data', 'palaver.db')));
  // These requests load modules and files on first use, so they fail if the package lacks one.
  assert.equal((await call(server, 'GET', '/openapi.json')).body.info.title.length > 0, true);
  const pages = [...(await call(server, 'GET', '/docs/')).text.matchAll(/href="(\/[^"#]*)/g)].map(
    ([, path]) => path,
  );
  assert.ok(pages.includes('/docs/guides/errors') && pages.includes('/docs/guides/client'), String(pages));
  for (const path of new Set(pages))
    assert.equal((await call(server, 'GET', path as string)).status, 200, String(path));
  const shell = await call(server, 'GET', '/', { headers: { accept: 'text/html' } });
  const files = assetsOf(shell.text).filter((path) => path.startsWith('/web/'));
  assert.ok(files.length > 2, shell.text);
  for (const path of files) assert.equal((await call(server, 'GET', path)).status, 200, path);
  process.kill(-(child.pid as number), 'SIGTERM');
  await gone(child);
});
