import assert from 'node:assert/strict';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Stage } from '../support/process.ts';

// The licences shipped with the built client: those of all its packages, and of code copied into its sources.

// It is plain JavaScript, so its types are here.
const { licencesOf }: { licencesOf(paths: readonly string[], copied?: readonly string[]): string } =
  await import(new URL('../../web/licences.js', import.meta.url).href);

const root = join(import.meta.dirname, '..', '..');
const read = (...path: string[]) => readFileSync(join(root, ...path), 'utf8');
const stage = new Stage();
after(() => stage.close());

const entriesOf = (licences: string): Map<string, string> =>
  new Map(
    licences.split(/^-{80}$/m).map((entry): [string, string] => {
      const [head = '', ...rest] = entry.trim().split('\n');
      return [head, rest.join('\n').trim()];
    }),
  );

test('the built client includes the licence of each package in it and of each package its sources derive from', () => {
  const entries = entriesOf(read('web', 'dist', 'licences.txt'));
  for (const [head, text] of entries) {
    assert.match(head, /^(@?[\w./-]+) \d+\.\d+\.\d+: [\w.-]+$/);
    assert.match(text, /Copyright|\(c\)/i, head);
    assert.match(text, /AS IS/, head);
  }
  const heads = [...entries.keys()];
  // The packages that users of the client run: direct and transitive dependencies.
  for (const name of ['preact', 'marked', 'highlight.js', 'thumbhash', 'openapi-fetch']) {
    const { version, license } = JSON.parse(read('node_modules', name, 'package.json'));
    assert.ok(heads.includes(`${name} ${version}: ${license}`), `${name} in ${heads}`);
  }
  const { dependencies } = JSON.parse(read('web', 'package.json'));
  for (const name of Object.keys(dependencies))
    if (!['@palaver/client', 'esbuild'].includes(name))
      assert.ok(
        heads.some((head) => head.startsWith(`${name} `)),
        name,
      );
  // A file derived from a package names it in its first line.
  const made = globSync('web/**/*.{ts,tsx}', {
    cwd: root,
    exclude: ['web/node_modules/**', 'web/dist/**'],
  }).flatMap((file) => /^\/\/ Made by scripts\/\S+ from (\S+ \d\S*?),/.exec(read(file))?.[1] ?? []);
  assert.equal(made.length, 3);
  for (const name of made)
    assert.ok(
      heads.some((head) => head.startsWith(`${name}: `)),
      name,
    );
});

test("a licence text comes from the package's file, its README or our own copy; without one, the build fails", () => {
  const folder = stage.folder();
  const inside = (name: string, files: Record<string, string>) => {
    const place = join(folder, 'node_modules', name);
    mkdirSync(place, { recursive: true });
    const description = JSON.stringify({
      name: name.replace('one/node_modules/', ''),
      version: '1.2.3',
      license: 'MIT',
    });
    for (const [file, text] of Object.entries({ 'package.json': description, ...files }))
      writeFileSync(join(place, file), text);
    return join(place, 'index.js');
  };
  const paths = [
    inside('one', { LICENSE: 'The terms of one', 'readme.md': '## License\n\nPermission is hereby granted' }),
    inside('@scope/two', {
      'README.md': '# Two\n\n## License\n\n(c) Two\nPermission is hereby granted\n\n## Other',
    }),
    inside('thumbhash', { 'README.md': '## License\n\nMIT' }),
    inside('one/node_modules/inner', { 'license-mit': 'The terms of inner' }),
    join(folder, 'ours.js'),
  ];
  const entries = entriesOf(licencesOf([...paths, ...paths]));
  assert.deepEqual([...entries.keys()].sort(), [
    '@scope/two 1.2.3: MIT',
    'inner 1.2.3: MIT',
    'one 1.2.3: MIT',
    'thumbhash 1.2.3: MIT',
  ]);
  assert.equal(entries.get('one 1.2.3: MIT'), 'The terms of one');
  assert.equal(entries.get('@scope/two 1.2.3: MIT'), '(c) Two\nPermission is hereby granted');
  assert.match(entries.get('thumbhash 1.2.3: MIT') as string, /Evan Wallace/);
  assert.throws(
    () => licencesOf([inside('none', { 'README.md': '# None' })]),
    /^Error: none has no text of its licence/,
  );
});
