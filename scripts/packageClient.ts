import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

// `npm run package:client [folder]` writes the package `@palaver/client` to `palaver-client-<version>.tgz` in the
// folder, `dist` by default.

const root = join(import.meta.dirname, '..');
const target = resolve(process.argv[3] ?? join(root, 'dist'));
mkdirSync(target, { recursive: true });
const windows = process.platform === 'win32';
const { status, stdout, stderr } = spawnSync(
  windows ? 'npm.cmd' : 'npm',
  ['pack', '--workspace', 'client', '--pack-destination', target, '--silent'],
  { cwd: root, encoding: 'utf8', shell: windows },
);
if (status !== 0) throw new Error(`npm pack failed: ${stdout}${stderr}`);
console.log(join(target, stdout.trim().split('\n').at(-1) as string));
