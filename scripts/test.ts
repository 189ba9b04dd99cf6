import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';

/**
 * `npm test`: the checks, then every suite, with the coverage that they must reach. Names of folders or files under
 * test/ run those alone, without checks and coverage: `npm test spec faults/kill`.
 */
const root = join(import.meta.dirname, '..');
const chosen = process.argv.slice(3);

function run(args: string[]): void {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

const patterns =
  chosen.length > 0
    ? chosen.flatMap((name) => [`test/${name}*.test.ts`, `test/${name}/**/*.test.ts`])
    : ['test/**/*.test.ts'];
const files = globSync(patterns, { cwd: root }).sort();
if (files.length === 0) {
  process.stderr.write(`there are no tests like ${chosen.join(', ')}\n`);
  process.exit(1);
}
const coverage = [
  '--experimental-test-coverage',
  '--test-coverage-include=server/src/**',
  '--test-coverage-lines=95',
];
if (chosen.length === 0) run(['scripts/check.ts']);
run(['--test', '--test-concurrency=2', ...(chosen.length === 0 ? coverage : []), ...files]);
