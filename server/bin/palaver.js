#!/usr/bin/env node
// Plain JavaScript that any Node can read: sees to it that the dependencies and a Node that is new enough are
// there, then hands over to src/main.ts.
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const OLDEST_NODE = 24;
const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** Installs the checkout's dependencies if they are missing or older than the lock file. */
function install() {
  const lock = join(root, 'package-lock.json');
  const installed = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(lock)) return;
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return;
  process.stderr.write('Installing dependencies (once)…\n');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const run = spawnSync(npm, ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (run.status !== 0) {
    process.stderr.write('the dependencies could not be installed: run "npm ci" and see\n');
    process.exit(1);
  }
}

function major(version) {
  return Number(version.split('.')[0]);
}

install();
if (major(process.versions.node) >= OLDEST_NODE) {
  await import('../src/main.ts');
} else {
  const newer = join(root, 'node_modules', '.bin', 'node');
  if (!existsSync(newer)) {
    process.stderr.write(`Palaver needs Node ${OLDEST_NODE} or newer; this is ${process.versions.node}\n`);
    process.exit(1);
  }
  handOver(newer);
}

/** Runs the same command under another Node, passing signals on. */
async function handOver(node) {
  const { spawn } = await import('node:child_process');
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
}
