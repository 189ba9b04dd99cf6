// @run sqlite: uses no database
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { Graph } from '../../scripts/tests/graph.ts';
import { NOTES_FILE, type Notes } from '../../scripts/tests/notes.ts';
import { type Passed, Records, snapshotOf } from '../../scripts/tests/records.ts';
import { FOR_ALL, Selection } from '../../scripts/tests/select.ts';
import { inherited } from '../support/process.ts';

const NEVER = 'it failed or has not passed here yet';
const root = mkdtempSync(join(tmpdir(), 'palaver-selection-'));
const records = join(root, '..', `${root.split('/').at(-1)}.json`);

const files: Record<string, string> = {
  'package-lock.json': '{}',
  'server/src/app.ts': "import { nouns } from './resources/appNouns.ts';\nexport const app = [nouns];\n",
  'server/src/resources/appNouns.ts': "import { pins } from './pin.ts';\nexport const nouns = [pins];\n",
  'server/src/resources/pin.ts':
    "import { size } from '../lib/size.ts';\nexport const pins = { run: () => size() };\n",
  'server/src/resources/pinned.ts':
    "import { pins } from './pin.ts';\nexport const pinned = { run: pins.run };\n",
  'server/src/resources/thread.ts': `
import { BOUND, type Kind, close as end } from './threadRecord.ts';
export const threadOperations = [write({ limit: BOUND, run: () => end() })];
export const threadSend = write({ run: () => end() });
`,
  'server/src/resources/threadRecord.ts': `
export const BOUND = 3;
export type Kind = string;
export function close() {}
`,
  'server/src/resources/threads.ts': `
import { threadOperations, threadSend } from './thread.ts';
export const all = () => [...threadOperations, threadSend];
`,
  'server/src/resources/closer.ts': `
import { type Kind, close } from './threadRecord.ts';
export const closer = (_: Kind) => close();
`,
  'server/src/resources/lazy.ts': "export const lazy = () => import('./threadRecord.ts');\n",
  'server/src/lib/size.ts': 'export function size() {\n  return 1;\n}\n',
  'server/src/lib/bound.ts': 'export const BOUND = 3;\n',
  'test/support/world.ts': "import '../../server/src/app.ts';\nimport '../../server/src/lib/bound.ts';\n",
  'test/rows/index.ts': "import type { Row } from './types.ts';\nexport const rows: Row[] = [];\n",
  'test/rows/types.ts': 'export type Row = string;\n',
  'test/spec/pins.test.ts': "import '../support/world.ts';\n",
  'test/spec/roles.test.ts': "import '../support/world.ts';\n",
  'test/spec/rules.test.ts': "import '../support/world.ts';\nimport { rows } from '../rows/index.ts';\n",
  'test/web/draft.test.ts': "import '../../web/draft.ts';\n",
  'web/draft.ts': 'export const draft = 1;\n',
  'web/page.ts': "import { fold } from '../server/src/lib/fold.ts';\nfold();\n",
  'server/src/lib/fold.ts': 'export function fold() {}\n',
  'test/browser/page.test.ts': "import './support/browser.ts';\n",
  'server/src/http/openapi/document.ts': 'export const document = () => {};\n',
  'test/spec/document.test.ts': "import '../support/world.ts';\n",
  'docs/limits.md': 'limits\n',
  'docs/openapi.json': '{}',
  'deploy/compose.yaml': 'services:\n',
};

const write = (path: string, text: string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};
const tests = [
  ...['spec/pins.test.ts', 'spec/roles.test.ts', 'spec/rules.test.ts'],
  ...['web/draft.test.ts', 'browser/page.test.ts', 'spec/document.test.ts'],
];

/** The source files whose functions each test called, and the files it read, in its last passing run. */
const did: Record<string, Pick<Passed, 'called' | 'read' | 'functions'>> = {
  'spec/pins.test.ts': {
    called: ['server/src/resources/pin.ts', 'server/src/lib/size.ts'],
    functions: ['server/src/resources/pin.ts run', 'server/src/lib/size.ts size2'],
    read: [],
  },
  'spec/roles.test.ts': {
    called: [],
    functions: ['server/src/lib/size.ts size'],
    read: ['docs/', 'server/README.md?'],
  },
  'spec/rules.test.ts': { called: [], read: ['docs/limits.md'] },
  'web/draft.test.ts': { called: [], read: [] },
  'browser/page.test.ts': { called: [], read: ['web/'] },
  'spec/document.test.ts': { called: ['server/src/http/openapi/document.ts'], read: [] },
};

before(() => {
  execFileSync('git', ['init', '-q'], { cwd: root });
  for (const [path, text] of Object.entries(files)) write(path, text);
  const kept = new Records(records);
  const at = kept.addSnapshot(snapshotOf(root));
  for (const file of tests)
    kept.set(`sqlite ${file}`, { at, seconds: 1, cpu: 1, called: [], read: [], ...did[file] });
  kept.save();
});
after(() => {
  rmSync(root, { recursive: true });
  rmSync(records, { force: true });
});

/**
 * The tests selected once these files are changed, added or, if undefined, removed. All changes are reverted.
 */
function selectedBy(changes: Record<string, string | undefined>): string[] {
  for (const [path, text] of Object.entries(changes))
    if (text === undefined) rmSync(join(root, path));
    else write(path, text);
  try {
    const selection = new Selection(root, new Records(records), snapshotOf(root));
    return tests.filter((file) => selection.reasonFor('sqlite', file) !== undefined);
  } finally {
    for (const path of Object.keys(changes))
      if (files[path] === undefined) rmSync(join(root, path));
      else write(path, files[path]);
  }
}

test('unchanged files select nothing', () => {
  assert.deepEqual(selectedBy({}), []);
});

test('a file with functions selects the tests in which one of them ran', () => {
  const change = { 'server/src/lib/size.ts': 'export function size() {\n  return 2;\n}\n' };
  assert.deepEqual(selectedBy(change), ['spec/pins.test.ts']);
});

test('a file with values selects all tests that load it', () => {
  const bound = { 'server/src/lib/bound.ts': 'export const BOUND = 4;\n' };
  assert.deepEqual(
    selectedBy(bound),
    tests.filter((file) => file.startsWith('spec/')),
  );
  assert.deepEqual(selectedBy({ 'web/draft.ts': 'export const draft = 2;\n' }), [
    'web/draft.test.ts',
    'browser/page.test.ts',
  ]);
});

test('code in the bundle of the web client selects the tests that open its pages', () => {
  const change = { 'server/src/lib/fold.ts': 'export function fold() {\n  return 1;\n}\n' };
  assert.deepEqual(selectedBy(change), ['browser/page.test.ts']);
});

test('a noun selects the tests that use it, and those that load all rows', () => {
  const change = { 'server/src/resources/pin.ts': 'export const pins = { run: () => 2 };\n' };
  assert.deepEqual(selectedBy(change), ['spec/pins.test.ts', 'spec/rules.test.ts']);
  const other = { 'server/src/resources/pinned.ts': 'export const pinned = {};\n' };
  assert.deepEqual(selectedBy(other), ['spec/rules.test.ts']);
});

test('a noun selects the tests of nouns that use its values, but not of those that only call it', () => {
  const graph = new Graph(root, Object.keys(files));
  const used = (path: string) =>
    [...graph.nounsWith(`server/src/resources/${path}`)].map((each) => basename(each)).sort();
  assert.deepEqual(used('threadRecord.ts'), ['lazy.ts', 'thread.ts', 'threadRecord.ts']);
  assert.deepEqual(used('thread.ts'), ['thread.ts'], 'operations are called, too');
  assert.deepEqual(used('pin.ts'), ['pin.ts', 'pinned.ts']);
});

test('a list of nouns selects all tests that load it', () => {
  const change = { 'server/src/resources/appNouns.ts': 'export const nouns = [];\n' };
  assert.deepEqual(
    selectedBy(change),
    tests.filter((file) => file.startsWith('spec/')),
  );
});

test('a change to the OpenAPI document selects the tests that generated it', () => {
  assert.deepEqual(selectedBy({ 'docs/openapi.json': '{ }' }), [
    'spec/roles.test.ts',
    'spec/document.test.ts',
  ]);
});

test('a file that is read, listed or looked up selects the tests that did so', () => {
  assert.deepEqual(selectedBy({ 'docs/limits.md': 'other\n' }), ['spec/roles.test.ts', 'spec/rules.test.ts']);
  assert.deepEqual(selectedBy({ 'docs/new.md': 'new\n' }), ['spec/roles.test.ts']);
  assert.deepEqual(selectedBy({ 'docs/limits.md': undefined }), ['spec/roles.test.ts', 'spec/rules.test.ts']);
  assert.deepEqual(selectedBy({ 'server/README.md': 'new\n' }), ['spec/roles.test.ts']);
  assert.deepEqual(selectedBy({ 'test/spec/new.test.ts': '' }), []);
});

test('support files select their tests, but files with only types do not', () => {
  assert.deepEqual(selectedBy({ 'test/rows/index.ts': 'export const rows = [];\n' }), ['spec/rules.test.ts']);
  assert.deepEqual(selectedBy({ 'test/rows/types.ts': 'export type Row = number;\n' }), []);
});

test('a lock file and a data file that no test is known to read select everything', () => {
  for (const file of [...FOR_ALL, 'package.json', 'web/package.json'])
    assert.deepEqual(selectedBy({ [file]: '{ }' }), tests, file);
  const checkout = join(import.meta.dirname, '..', '..');
  assert.deepEqual(
    FOR_ALL.filter((file) => !existsSync(join(checkout, file))),
    [],
  );
  assert.deepEqual(selectedBy({ 'deploy/compose.yaml': 'services: {}\n' }), tests);
  assert.deepEqual(selectedBy({ 'test/files/cat.png': 'cat' }), tests);
});

test('a file without a record is selected: in a fresh clone, after a failure, on another engine', () => {
  const kept = new Records(records);
  const now = snapshotOf(root);
  const reasons = () => tests.map((file) => new Selection(root, kept, now).reasonFor('sqlite', file));
  kept.delete('sqlite spec/pins.test.ts');
  assert.deepEqual(reasons(), [NEVER, ...tests.slice(1).map(() => undefined)]);
  assert.equal(new Selection(root, kept, now).reasonFor('postgres', 'spec/roles.test.ts'), NEVER);
  const fresh = new Selection(root, new Records(join(root, 'none.json')), now);
  assert.deepEqual(
    tests.map((file) => fresh.reasonFor('sqlite', file)),
    tests.map(() => NEVER),
  );
});

test('records contain which functions each test ran', () => {
  const kept = new Records(records);
  const whoRan = (name: string) => tests.filter((file) => kept.ran(`sqlite ${file}`, name));
  assert.deepEqual(whoRan('server/src/resources/pin.ts run'), ['spec/pins.test.ts']);
  assert.deepEqual(whoRan('server/src/lib/size.ts size'), ['spec/pins.test.ts', 'spec/roles.test.ts']);
  assert.deepEqual(whoRan('server/src/lib/size.ts other'), []);
});

test('a killed process whose nouns are known adds the rest of the server, and no listing of it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'palaver-selection-'));
  const place = join(folder, 'lines');
  const scripts = join(import.meta.dirname, '..', '..', 'scripts', 'tests');
  /** Runs a test process that finds these marks. Returns its notes: after its only file, and on exit. */
  const notesAfter = (marks: readonly string[]): Notes[] => {
    for (const mark of marks) writeFileSync(join(folder, mark), '');
    const notes = { TEST_RECORDS: '', TEST_NOTES: folder, TEST_NOTES_OWNER: String(process.pid) };
    execFileSync(
      process.execPath,
      ['--import', join(scripts, 'watch.js'), join(scripts, 'files.ts'), '1000', '../scripts/tests/notes.ts'],
      { env: { ...inherited(), NODE_OPTIONS: '', ...notes, [NOTES_FILE]: place } },
    );
    const lines = readFileSync(place, 'utf8').trim().split('\n');
    rmSync(place);
    return lines.map((line) => JSON.parse(line));
  };
  const serverIn = (paths: readonly string[] = []) => paths.filter((path) => path.startsWith('server/'));
  const [first, last] = notesAfter(['1.open', '1.known']);
  const called = serverIn(first?.called);
  assert.ok(called.includes('server/src/http/') && !called.includes('server/src/'), String(called));
  assert.ok(!called.some((path) => path.startsWith('server/src/resources')), String(called));
  assert.deepEqual(
    [first, last].map((notes) => notes && serverIn(notes.read)),
    [[], []],
  );
  assert.deepEqual(serverIn(notesAfter(['1.open'])[0]?.called), ['server/src/']);
  rmSync(folder, { recursive: true });
});
