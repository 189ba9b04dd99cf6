import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

// Runs every check, one per CPU, and prints a line for each. The first failure prints its findings and ends the run.

const root = join(import.meta.dirname, '..');
const kept = join(root, 'node_modules', '.cache', 'palaver');
mkdirSync(kept, { recursive: true });

const OPENAPI = 'docs/openapi.json';
/**
 * Runs single-threaded, because additional threads would duplicate work, and the other checks use the other
 * CPUs.
 */
const tsc = ['node', 'node_modules/typescript7/bin/tsc', '--singleThreaded', '--project'] as const;
const keepIn = (file: string) => ['--incremental', '--tsBuildInfoFile', join(kept, file)];

interface Check {
  name: string;
  /** Commands with their arguments, run one after another. */
  commands: readonly (readonly string[])[];
  /**
   * The files that the check reads. If set, the check is skipped as long as they are unchanged since it last passed.
   */
  reads?: readonly string[];
}

/** All checks, roughly by duration, the longest first. */
const checks: readonly Check[] = [
  { name: 'types', commands: [[...tsc, '.', ...keepIn('types.tsbuildinfo')]] },
  {
    name: 'OpenAPI: Spectral',
    commands: [
      ['spectral', 'lint', '--ruleset', 'scripts/spectral.yaml', '--fail-severity', 'warn', OPENAPI],
    ],
    reads: ['scripts/spectral.yaml', OPENAPI],
  },
  {
    name: 'import directions',
    commands: [
      [
        'depcruise',
        '--config',
        'scripts/imports.mjs',
        'server/src',
        'client/src',
        'web',
        'test',
        'bench',
        'scripts',
      ],
    ],
  },
  { name: 'lint and format', commands: [['biome', 'check', '--error-on-warnings', '.']] },
  { name: 'unused code', commands: [['knip', '--config', 'scripts/knip.json', '--no-progress']] },
  { name: 'generated files', commands: [['node', 'scripts/generate.ts', '--check']] },
  {
    name: 'OpenAPI: Redocly',
    commands: [['redocly', 'lint', '--config', 'scripts/redocly.yaml', OPENAPI]],
    reads: ['scripts/redocly.yaml', OPENAPI],
  },
  {
    name: 'client types and package',
    // The compiler generates the package's files first.
    commands: [
      [...tsc, 'client'],
      ['publint', 'client', '--strict'],
    ],
  },
  { name: 'web client types', commands: [[...tsc, 'web', ...keepIn('web.tsbuildinfo')]] },
  { name: 'web client texts', commands: [['node', 'scripts/strings/index.ts', 'check']] },
  { name: 'words to avoid', commands: [['node', 'scripts/words.ts']] },
  { name: 'web client size', commands: [['node', 'scripts/budget.ts']] },
  { name: 'import cycles between nouns', commands: [['node', 'scripts/nouns.ts']] },
  { name: 'file sizes', commands: [['node', 'scripts/sizes.ts']] },
  { name: "the last release's promises", commands: [['node', 'scripts/compatible.ts']] },
];

const environment = {
  ...process.env,
  PATH: `${join(root, 'node_modules', '.bin')}:${process.env.PATH}`,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(root, 'node_modules', '.cache', 'node'),
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
};
const running = new Set<ChildProcess>();

/** A hash of everything that a check depends on: its files, its commands, and the versions of all packages. */
function stateOf({ commands, reads = [] }: Check): string {
  const hash = createHash('sha256').update(JSON.stringify(commands));
  for (const file of ['package-lock.json', ...reads]) hash.update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

/** Runs a program. Rejects with its output if it fails. */
async function runProgram([program = '', ...args]: readonly string[]): Promise<void> {
  const child = spawn(program, args, { cwd: root, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  const ended = new Promise<number | null>((resolve, reject) =>
    child.once('error', reject).once('close', resolve),
  );
  const [status, out, err] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  running.delete(child);
  if (status !== 0) throw new Error(out + err);
}

/** Runs a check, unless it has passed with the same inputs. Resolves with the line to print. */
async function run(check: Check): Promise<string> {
  const start = performance.now();
  const passed = join(kept, `${check.name.replaceAll(/\W+/g, '-')}.passed`);
  const state = check.reads && stateOf(check);
  if (state && existsSync(passed) && readFileSync(passed, 'utf8') === state)
    return `${check.name}, as before`;
  for (const command of check.commands) await runProgram(command);
  if (state) writeFileSync(passed, state);
  return `${check.name}, ${((performance.now() - start) / 1000).toFixed(1)} s`;
}

const left = [...checks];
let hasFailed = false;

/** Runs checks one after another until none are left or one has failed. */
async function takeTurns(): Promise<void> {
  for (let check = left.shift(); check && !hasFailed; check = left.shift()) {
    try {
      const line = await run(check);
      if (!hasFailed) console.log(`ok  ${line}`);
    } catch (error) {
      if (hasFailed) return;
      hasFailed = true;
      console.error(`FAILED  ${check.name}\n\n${(error as Error).message}`);
      process.exitCode = 1;
      for (const child of running) child.kill();
    }
  }
}

await Promise.all(Array.from({ length: Math.max(availableParallelism(), 2) }, takeTurns));
