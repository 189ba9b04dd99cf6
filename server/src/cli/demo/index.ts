import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import type { Served } from '../../node/serve.ts';
import { runBot } from './bot.ts';
import { furnish } from './furnish.ts';

/**
 * Returns the settings of a demo. Its data is in a separate folder, which is deleted when the process exits.
 * The demo does not connect to other services and ignores settings that only make sense for real data.
 */
export function demoConfig(config: Config): Config {
  const data = mkdtempSync(join(tmpdir(), 'palaver-demo-'));
  process.once('exit', () => rmSync(data, { recursive: true, force: true }));
  return {
    ...config,
    ...{ data, database: '', redis: '', files: '', mail: '', providers: [] },
    ...{ hosts: [], metricsPort: 0, secretKey: '', secondFactor: 'off' },
  };
}

/** Creates the demo's data and starts its bot. */
export async function openDemo({ data, url, first }: Served): Promise<void> {
  if (!first) throw new Error('a demo requires a new data folder');
  const bot = await furnish(data, url, first);
  // The bot stops if its key is revoked.
  runBot(bot).catch(() => undefined);
}
