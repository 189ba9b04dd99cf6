import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import type { Served } from '../../node/serve.ts';
import { runBot } from './bot.ts';
import { furnish } from './furnish.ts';

/**
 * The settings of a demo: its data is in a folder of its own, which is deleted when the process exits. It neither
 * reaches other services nor depends on settings that only fit the real data.
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

/** Furnishes the demo, and lets its bot answer. */
export async function openDemo({ data, url, first }: Served): Promise<void> {
  if (!first) throw new Error('the data of a demo are new');
  const bot = await furnish(data, url, first);
  // It ends if its key is revoked.
  runBot(bot).catch(() => undefined);
}
