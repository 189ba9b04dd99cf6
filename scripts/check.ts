import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

// The gate: runs every check and prints a line for each. The first that fails prints its findings and ends the run.

const root = join(import.meta.dirname, '..');

const checks: [name: string, command: string, ...args: string[]][] = [
  ['types', 'tsc', '--project', '.'],
  ['types of the client', 'tsc', '--project', 'client'],
  ['lint and format', 'biome', 'check', '--error-on-warnings', '.'],
  [
    'direction of imports',
    'depcruise',
    '--config',
    'scripts/imports.mjs',
    'server/src',
    'client/src',
    'test',
    'bench',
    'scripts',
  ],
  ['cycles of nouns', 'node', 'scripts/nouns.ts'],
  ['size of files', 'node', 'scripts/sizes.ts'],
  ['unused code', 'knip', '--config', 'scripts/knip.json', '--no-progress'],
  ['package of the client', 'publint', 'client', '--strict'],
  ['generated files', 'node', 'scripts/generate.ts', '--check'],
  ['promises of the last release', 'node', 'scripts/compatible.ts'],
  [
    'OpenAPI: Spectral',
    'spectral',
    'lint',
    '--ruleset',
    'scripts/spectral.yaml',
    '--fail-severity',
    'warn',
    'docs/openapi.json',
  ],
  ['OpenAPI: Redocly', 'redocly', 'lint', '--config', 'scripts/redocly.yaml', 'docs/openapi.json'],
];

const environment = {
  ...process.env,
  PATH: `${join(root, 'node_modules', '.bin')}:${process.env.PATH}`,
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
};

for (const [name, command, ...args] of checks) {
  const start = performance.now();
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: root,
    env: environment,
    encoding: 'utf8',
  });
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  if (status !== 0) {
    console.error(`FAILED  ${name}, ${seconds} s\n\n${error?.message ?? ''}${stdout}${stderr}`);
    process.exit(1);
  }
  console.log(`ok  ${name}, ${seconds} s`);
}
