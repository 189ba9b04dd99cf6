import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openData } from '../server/src/node/data.ts';
import { generate } from './load.ts';
import { makeServer } from './made.ts';
import { startOnServerCore, untilIdle } from './processes.ts';
import { inTurn, perSecond, publish, ratio, report, SMALL } from './report.ts';
import { seedMessages } from './seed.ts';

/**
 * Compares the number of pages of 50 messages that two processes on one data folder serve with the number
 * that one process serves. The result is an upper bound for the gain from additional read-only processes next
 * to one writer. Each server is pinned to one core and its load generator to the other, so both setups use
 * two cores.
 */
export async function measureCores(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'palaver-bench-'));
  try {
    const data = await openData({ data: folder });
    const { small, user, key } = await makeServer(data);
    await data.db.close();
    seedMessages(join(folder, 'palaver.db'), small, user.id, SMALL);
    const start = (core: string) =>
      startOnServerCore(
        'server/bin/palaver.js',
        ['start', '--data', folder, '--port', '0', '--beside'],
        { PALAVER_LIMITS: '{"*":0}' },
        core,
      );
    const [one, other] = [await start('0'), await start('1')];
    await untilIdle(one);
    await untilIdle(other);
    const read = ({ url }: { url: string }, seconds: number, core: string) =>
      generate(
        {
          method: 'GET',
          url: `${url}/api/v1/channels/${small.id}/messages`,
          headers: { authorization: `Bearer ${key}` },
        },
        seconds,
        core,
      );
    const [both, alone] = await inTurn(
      async (seconds) => {
        const [first, second] = await Promise.all([read(one, seconds, '1'), read(other, seconds, '0')]);
        return {
          rate: first.rate + second.rate,
          p99: Math.max(first.p99, second.p99),
          failed: first.failed + second.failed,
        };
      },
      (seconds) => read(one, seconds, '1'),
    );
    const gain = ratio(both, alone);
    const rates = ` (${perSecond(both)}/s vs. ${perSecond(alone)}/s)`;
    report('page of 50: throughput of two processes relative to one', gain, '', '≥ 1.70', gain >= 1.7, rates);
    await one.stop();
    await other.stop();
    publish('Two processes on one data folder', `SQLite ${process.versions.sqlite}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
