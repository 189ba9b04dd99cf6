// @run sqlite: tests files, and only requests /healthz
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { settings } from '../../server/src/config.ts';
import { Stage } from '../support/process.ts';
import type { Json } from '../support/world.ts';

// Checks the files in deploy/ and the page about installing against the program and the checkout.

const stage = new Stage();
after(() => stage.close());

const root = join(import.meta.dirname, '..', '..');
const read = (...path: string[]) => readFileSync(join(root, ...path), 'utf8');

/** The Dockerfile's instructions, with continued lines joined. */
const instructions = read('deploy', 'Dockerfile')
  .replace(/^#.*\n/gm, '')
  .replace(/\\\n\s*/g, ' ')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => {
    const [, name = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
    return { name, rest };
  });

const composeFiles = globSync('compose*.yaml', { cwd: join(root, 'deploy') });

test('everything that the image copies from the checkout exists and is not ignored', () => {
  const allowed = read('deploy', 'Dockerfile.dockerignore')
    .split('\n')
    .filter((line) => line.startsWith('!'))
    .map((line) => line.slice(1));
  const copied = instructions
    .filter(({ name, rest }) => name === 'COPY' && !rest.startsWith('--from='))
    .flatMap(({ rest }) => rest.split(' ').slice(0, -1));
  assert.ok(copied.length > 3);
  for (const path of copied) {
    assert.ok(existsSync(join(root, path)), path);
    assert.ok(
      allowed.some((each) => path === each || path.startsWith(`${each}/`)),
      path,
    );
  }
  for (const path of allowed) assert.ok(existsSync(join(root, path)), path);
});

test('the image runs as an unprivileged user, stores its data in a volume, and sets only settings that exist', () => {
  const last = instructions.slice(instructions.findLastIndex(({ name }) => name === 'FROM'));
  const lastOf = (name: string) => last.findLast((each) => each.name === name)?.rest ?? '';
  assert.match(lastOf('USER'), /^[1-9]\d*:[1-9]\d*$/);
  const variables = Object.fromEntries(
    lastOf('ENV')
      .split(' ')
      .map((pair) => pair.split('=')),
  );
  assert.equal(lastOf('VOLUME'), variables.PALAVER_DATA);
  const known = Object.values(settings).map(({ env }) => env);
  for (const name of Object.keys(variables).filter((each) => each.startsWith('PALAVER_')))
    assert.ok(known.includes(name), name);
});

test("the image's health check passes while a node serves, and fails otherwise", async (t) => {
  if (process.platform === 'win32') return t.skip('bash opens /dev/tcp in images with Linux');
  const check = instructions.find(({ name }) => name === 'HEALTHCHECK')?.rest ?? '';
  const [program = '', ...args]: string[] = JSON.parse(check.slice(check.indexOf('[')));
  const server = await stage.start(stage.folder());
  const env = { ...process.env, PALAVER_PORT: new URL(server.url).port };
  await promisify(execFile)(program, args, { env });
  assert.equal(await server.end(), 0);
  await assert.rejects(promisify(execFile)(program, args, { env }));
});

test('each compose file builds this image with existing settings', () => {
  assert.ok(composeFiles.includes('compose.single.yaml'));
  for (const file of composeFiles) {
    const { services, volumes = {}, networks = {} } = parse(read('deploy', file), { merge: true }) as Json;
    const ours = Object.values(services as Json).filter((service) => (service as Json).build) as Json[];
    assert.ok(ours.length > 0, file);
    for (const { build, environment = {}, read_only } of ours) {
      assert.equal(join(root, 'deploy', build.context, build.dockerfile), join(root, 'deploy', 'Dockerfile'));
      assert.equal(read_only, true);
      const known = Object.values(settings).map(({ env }) => env);
      for (const name of Object.keys(environment)) assert.ok(known.includes(name), `${file}: ${name}`);
    }
    for (const { environment = {} } of Object.values(services as Json) as Json[]) {
      if (!environment.POSTGRES_USER) continue;
      const urls = ours.map((each) => each.environment?.DATABASE_URL);
      assert.ok(
        urls.every((url) => !url?.includes(`//${environment.POSTGRES_USER}:`)),
        'not the superuser',
      );
    }
    for (const service of Object.values(services as Json) as Json[]) {
      for (const mount of service.volumes ?? []) {
        const [from] = mount.split(':');
        assert.ok(from in volumes || existsSync(join(root, 'deploy', from)), `${file}: ${mount}`);
      }
      for (const name of service.networks ?? []) assert.ok(name in networks, `${file}: ${name}`);
      for (const name of Object.keys(service.depends_on ?? {}))
        assert.ok(name in services, `${file}: ${name}`);
    }
  }
});

test('the page about installing names existing files, versions and commands', () => {
  const page = read('docs', 'operate', 'install.md');
  const { version, scripts } = JSON.parse(read('package.json'));
  for (const text of [
    page,
    read('README.md'),
    read('server', 'README.md'),
    read('deploy', 'palaver.service'),
  ]) {
    const named = [...text.matchAll(/palaver-(\d+\.\d+\.\d+)/g)].map(([, found]) => found);
    assert.deepEqual([...new Set(named)], [version]);
  }
  for (const [, name = ''] of page.matchAll(/npm run (\w+)/g)) assert.ok(name in scripts, name);
  for (const [path] of page.matchAll(/\bdeploy\/[\w.]+\w/g)) assert.ok(existsSync(join(root, path)), path);
  const commands = read('docs', 'operate', 'commands.md');
  const typed = [...page.matchAll(/(?:\.\/|npx |palaver )palaver ([a-z]+)/g)].map(([, name]) => name);
  assert.ok(typed.length > 5);
  for (const name of typed) assert.ok(commands.includes(`npx palaver ${name}`), `${name}`);
});
