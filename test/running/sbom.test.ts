// @run sqlite: uses no database
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import type { Json } from '../support/world.ts';

const root = join(import.meta.dirname, '..', '..');
const json = (...path: string[]): Json => JSON.parse(readFileSync(join(...path), 'utf8'));

/** The bill of materials as `npm run sbom` prints it, outside the checkout and with an empty environment. */
function bill(): Json {
  const { scripts } = json(root, 'package.json');
  const [program, script] = scripts.sbom.split(' ');
  assert.equal(program, 'node');
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, script)], {
    cwd: '/',
    encoding: 'utf8',
    maxBuffer: 16 * 1024 * 1024,
    env: {},
  });
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
}

/** The folder of an installed package, as resolved from `folder`; undefined if it is not installed. */
function installed(name: string, folder: string): string | undefined {
  const found = join(folder, 'node_modules', name);
  if (existsSync(join(found, 'package.json'))) return found;
  return folder === root ? undefined : installed(name, dirname(folder));
}

/** Adds the installed dependencies of a package, and theirs: `name@version`. */
function addNeeds(folder: string, needs: Set<string>): void {
  const { dependencies = {}, optionalDependencies = {} } = json(folder, 'package.json');
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    if (name.startsWith('@palaver/')) continue;
    const found = installed(name, folder);
    if (!found) {
      assert.ok(name in optionalDependencies, `${name}, required by ${folder}, is not installed`);
      continue;
    }
    const { version } = json(found, 'package.json');
    // Uses the name in `node_modules`, because some packages are installed under an alias.
    if (needs.has(`${name}@${version}`)) continue;
    needs.add(`${name}@${version}`);
    addNeeds(found, needs);
  }
}

test('the bill of materials lists exactly the dependencies for running and developing a server', () => {
  const { bomFormat, specVersion, metadata, components, dependencies } = bill();
  assert.deepEqual([bomFormat, specVersion, metadata.component.name], ['CycloneDX', '1.5', 'palaver']);
  const listed = new Set(components.map(({ name, version }: Json) => `${name}@${version}`));
  const needs = new Set<string>();
  for (const part of ['.', 'server', 'client', 'web']) addNeeds(join(root, part), needs);
  assert.ok(needs.size > 100, String(needs.size));
  assert.deepEqual(
    [...needs].filter((one) => !listed.has(one)),
    [],
    'required, but not listed',
  );
  // Optional packages may be installed on other systems, so only required packages are compared.
  const required = components.filter(({ scope }: Json) => scope === 'required');
  assert.deepEqual(
    required.map(({ name, version }: Json) => `${name}@${version}`).filter((one: string) => !needs.has(one)),
    [],
    'listed, but not required',
  );

  for (const { purl, licenses, hashes, 'bom-ref': ref } of components) {
    assert.match(purl, /^pkg:npm\/(%40[^/]+\/)?[^/@]+@\d/);
    assert.equal(ref, purl);
    assert.equal(licenses.length, 1, purl);
    assert.match(hashes[0].content, /^[0-9a-f]{40,128}$/, purl);
  }
  const after = new Map<string, string[]>(dependencies.map(({ ref, dependsOn }: Json) => [ref, dependsOn]));
  const reached = new Set<string>();
  const reach = (ref: string): void => {
    if (reached.has(ref)) return;
    reached.add(ref);
    for (const next of after.get(ref) ?? []) reach(next);
  };
  reach(metadata.component['bom-ref']);
  assert.deepEqual(
    components.map(({ purl }: Json) => purl).filter((purl: string) => !reached.has(purl)),
    [],
    'every package is required by another',
  );
});
