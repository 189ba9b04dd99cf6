import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  lutimesSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { functionAt } from './tests/functions.ts';
import type { Result } from './tests/job.ts';
import { applied, type Mutant, mutantsOf, offsetOf, randomOf } from './tests/mutants.ts';
import { prepareDataFile } from './tests/prepared.ts';
import { type Passed, Records, snapshotOf } from './tests/records.ts';
import { scratchFolder } from './tests/scratch.ts';
import { Selection } from './tests/select.ts';
import { suites } from './tests/suites.ts';

// Mutation testing: `npm run mutate -- --count 20 --seed 7 --in server/src/feed`. Draws one-line mutants, and applies
// each to a copy of the last commit. Runs the dependent test files that have passed in this checkout on SQLite, the
// nearest first, until one fails or `--seconds` are used up. Prints the surviving mutants. `--at FILE:LINE` uses all
// mutants of one line, `--at FILE` those of a file.
const root = join(import.meta.dirname, '..');
const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    count: { type: 'string', default: '20' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    in: { type: 'string', multiple: true },
    at: { type: 'string', multiple: true },
    /** Total CPU seconds of the tests that a mutant has to survive. */
    seconds: { type: 'string', default: '60' },
  },
});
/** The areas where a fault would do the most harm. */
const AREAS = [
  'server/src/access/**/*.ts',
  'server/src/limits/*.ts',
  'server/src/feed/*.ts',
  'server/src/files/**/*.ts',
  'server/src/{accounts,resources}/**/{session,sessions}*{.ts,/**/*.ts}',
  'web/replica/*.ts',
];
/** Test files are batched up to this many CPU seconds. */
const BATCH_SECONDS = 5;
const LONGEST_MS = 90_000;

const scratch = process.env.TMPDIR ? undefined : scratchFolder();
if (scratch !== undefined) process.env.TMPDIR = scratch;
const copy = join(mkdtempSync(join(tmpdir(), 'palaver-mutants-')), 'copy');
execFileSync('git', ['worktree', 'add', '--detach', copy], { cwd: root, stdio: 'ignore' });
shareIgnored();

const records = new Records(join(root, 'node_modules', '.cache', 'palaver', 'tests.json'));
const selection = new Selection(copy, records, snapshotOf(copy));

/**
 * Gives the copy everything that git ignores: copies of build output, so builds of a mutant stay in the copy, and
 * links to the installed packages. The copy's own files get an old date, because each test that starts a server would
 * redo builds older than their sources, and reinstall packages older than the lock file.
 */
function shareIgnored(): void {
  const list = (...args: string[]) =>
    execFileSync('git', ['ls-files', '-z', ...args], { cwd: root, encoding: 'utf8' })
      .split('\0')
      .filter(Boolean);
  for (const file of list()) if (existsSync(join(copy, file))) lutimesSync(join(copy, file), 1, 1);
  const ignored = list('--others', '--ignored', '--exclude-standard', '--directory');
  for (const path of ignored.filter((path) => path !== 'node_modules/'))
    cpSync(join(root, path), join(copy, path), { recursive: true });
  linkPackages('node_modules');
}

/** Links the packages of a folder. Links to workspaces are relative, so in the copy they point to its own workspaces. */
function linkPackages(folder: string): void {
  mkdirSync(join(copy, folder));
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.name === '.cache') continue;
    if (entry.isSymbolicLink()) symlinkSync(readlinkSync(join(root, path)), join(copy, path));
    else if (entry.name.startsWith('@')) linkPackages(path);
    else if (entry.isDirectory()) symlinkSync(join(root, path), join(copy, path));
    else cpSync(join(root, path), join(copy, path));
  }
}

/** Test files that fail in the copy even without a mutant. */
const unsound = new Set<string>();

interface Candidate {
  name: string;
  passed: Passed;
}

/**
 * The test files that ran the mutated function. If there are none, or the mutant is outside of named functions, the
 * test files that depend on the mutated file. The nearest come first: fast ones that load little and share a word with
 * the file's path.
 */
async function nearest(mutant: Mutant, text: string): Promise<Candidate[]> {
  const { file } = mutant;
  const name = await functionAt(join(copy, file), offsetOf(mutant, text));
  const words = file.split(/[^a-z]+|(?=[A-Z])/).filter((word) => word.length > 3 && word !== 'server');
  const distance = ({ name, passed }: Candidate) => {
    const shared = words.filter((word) => name.toLowerCase().includes(word.toLowerCase().slice(0, 5))).length;
    return (passed.cpu + passed.seconds + selection.graph.reach(`test/${name}`).size / 50) / (1 + 2 * shared);
  };
  const dependent = suites.flatMap(({ file: name }) => {
    const passed = records.get(`sqlite ${name}`);
    return passed && selection.depends(`test/${name}`, passed, file) ? [{ name, passed }] : [];
  });
  const ran = dependent.filter(
    (test) => name !== undefined && records.ran(`sqlite ${test.name}`, `${file} ${name}`),
  );
  return (ran.length > 0 ? ran : dependent).sort((one, other) => distance(one) - distance(other));
}

/** Runs test files in order. Returns the file that failed, if any, and how many ran. */
async function killed(
  candidates: readonly Candidate[],
  environment: Record<string, string>,
): Promise<{ by?: string; ran: number }> {
  const left = candidates.filter(({ name }) => !unsound.has(name));
  let [spent, ran] = [0, 0];
  while (left.length > 0 && spent < Number(values.seconds)) {
    const batch: string[] = [];
    for (let cpu = 0; left.length > 0 && cpu < BATCH_SECONDS; ) {
      const { name, passed } = left.shift() as Candidate;
      batch.push(name);
      cpu += passed.cpu;
      spent += passed.cpu;
    }
    ran += batch.length;
    const by = await failing(batch, environment);
    if (by !== undefined) return { by, ran };
  }
  return { ran };
}

/** The first file that failed, or all of them, separated by commas, if their process ended early. */
async function failing(
  files: readonly string[],
  environment: Record<string, string>,
): Promise<string | undefined> {
  const { runJob } = (await import(
    join(copy, 'scripts', 'tests', 'job.ts')
  )) as typeof import('./tests/job.ts');
  const NODE_COMPILE_CACHE = join(copy, 'node_modules', '.cache', 'node');
  const env = { ...process.env, NODE_COMPILE_CACHE, PALAVER_TEST_ENGINE: 'sqlite', ...environment };
  const results: Result[] = await runJob({ files, engine: 'sqlite' }, env, () => {}, {
    longest: LONGEST_MS,
    stopsAtFailure: true,
  });
  return results.find((result) => result.failed > 0)?.file;
}

/** Test files that pass in the copy without a mutant. */
const sound = new Set<string>();

/**
 * Whether the files pass without a mutant. Throws if a whole process fails, because then no result is
 * meaningful.
 */
async function isSound(names: string, environment: Record<string, string>): Promise<boolean> {
  if (sound.has(names)) return true;
  if ((await failing(names.split(', '), environment)) === undefined) {
    sound.add(names);
    return true;
  }
  if (names.includes(', ')) throw new Error(`these also fail without a mutant: ${names}`);
  unsound.add(names);
  console.log(`skipped, because it also fails without a mutant: ${names}`);
  return false;
}

function drawn(): Mutant[] {
  const places = values.in?.map((place) => (place.endsWith('.ts') ? place : `${place}/**/*.ts`)) ?? AREAS;
  const mutantsIn = (file: string) => mutantsOf(file, readFileSync(join(copy, file), 'utf8'));
  if (values.at !== undefined)
    return values.at.flatMap((at) => {
      const [file = '', line] = at.split(':');
      return mutantsIn(file).filter((mutant) => line === undefined || mutant.line === Number(line));
    });
  const all = globSync(places, { cwd: copy }).sort().flatMap(mutantsIn);
  const random = randomOf(Number(values.seed));
  return Array.from({ length: Math.min(Number(values.count), all.length) }, () =>
    all.splice(Math.floor(random() * all.length), 1),
  ).flat();
}

const survivors: string[] = [];
const prepared = await prepareDataFile();

/** Removes the copy; `scratchFolder` removes its own folder when the process exits. */
function removeCopy(): void {
  execFileSync('git', ['worktree', 'remove', '--force', copy], { cwd: root });
  rmSync(join(copy, '..'), { recursive: true, force: true });
}
for (const [signal, status] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)
  process.once(signal, () => {
    removeCopy();
    process.exit(status);
  });

try {
  const mutants = drawn();
  console.log(`seed ${values.seed}: ${mutants.length} mutants`);
  const unrecorded = suites.filter(
    ({ file, engines }) => engines.includes('sqlite') && records.get(`sqlite ${file}`) === undefined,
  );
  if (unrecorded.length > 0)
    console.log(`${unrecorded.length} test files are skipped, because they have not passed here on SQLite`);
  for (const mutant of mutants) {
    const { file, line, before, after } = mutant;
    const text = readFileSync(join(copy, file), 'utf8');
    const mutated = applied(mutant, text);
    if (mutated === undefined) continue;
    const candidates = await nearest(mutant, text);
    writeFileSync(join(copy, file), mutated);
    let result = await killed(candidates, prepared.environment);
    writeFileSync(join(copy, file), text);
    if (result.by !== undefined && !(await isSound(result.by, prepared.environment))) {
      writeFileSync(join(copy, file), mutated);
      result = await killed(candidates, prepared.environment);
      writeFileSync(join(copy, file), text);
    }
    const { by, ran } = result;
    const diff = `${file}:${line}\n  - ${before.trim()}\n  + ${after.trim()}`;
    console.log(by ? `killed by ${by}  ${diff}` : `SURVIVED ${ran} files  ${diff}`);
    if (by === undefined) survivors.push(diff);
  }
  console.log(`${survivors.length} of ${mutants.length} mutants survived (seed ${values.seed})`);
  for (const survivor of survivors) console.log(survivor);
} finally {
  await prepared.close();
  removeCopy();
}
// Servers of tests that were stopped may still run and hold pipes of this process.
process.exit();
