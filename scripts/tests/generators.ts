import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const folder = join(import.meta.dirname, '..', '..', 'test', 'generators');
/** A file that npm writes after each install. */
const record = join(folder, 'node_modules', '.package-lock.json');

/**
 * Installs the packages that only the tests in `test/generators/` need, from the lock file there, unless they are
 * installed. Resolves with the reason if they are missing, and with undefined otherwise. None of these packages needs
 * an install script.
 */
export async function installGenerators(): Promise<string | undefined> {
  const lock = join(folder, 'package-lock.json');
  if (existsSync(record) && statSync(record).mtimeMs >= statSync(lock).mtimeMs) return undefined;
  const windows = process.platform === 'win32';
  const args = ['ci', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  const child = spawn(windows ? 'npm.cmd' : 'npm', args, {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    shell: windows,
    // Drops the settings of the surrounding `npm test`, which point to the checkout's package, but keeps the
    // user's own.
    env: Object.fromEntries(
      Object.entries(process.env).filter(
        ([name]) => !/^npm_(?!config_)|^npm_config_local_prefix$/.test(name),
      ),
    ),
  });
  const [[status], said] = await Promise.all([
    once(child, 'close').catch((error: Error) => [error.message]),
    text(child.stderr),
  ]);
  if (status !== 0)
    return `npm ci in test/generators: ${said.trim().split('\n')[0] || `it exited with ${status}`}`;
  utimesSync(record, new Date(), new Date());
  return undefined;
}
