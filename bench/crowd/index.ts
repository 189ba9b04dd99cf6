import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../../test/support/seeded.ts';
import { type Running, startOnServerCore, untilIdle } from '../processes.ts';
import { keep, machine, optionOf, percentile, quick, say } from '../report.ts';
import { StreamClients } from '../streams.ts';
import { Beside } from './beside.ts';
import { amountsAt } from './data.ts';
import { type Stage, withCommunity } from './kept.ts';
import { drawn, kindsOf } from './kinds.ts';
import { drive, timesOf } from './load.ts';
import { measureReload } from './reload.ts';
import { Requests, sessionOf } from './requests.ts';
import { walkOperations } from './walk.ts';

/** The number of connections over which people send requests. */
const CONNECTIONS = 16;
const SECONDS = Number(optionOf('--seconds') ?? (quick ? 2 : 10));
const WARM_UP_SECONDS = Math.min(1, SECONDS);
const MIX_SECONDS = 3 * SECONDS;
/** The number of streams that are open during the mix. */
const STREAMS = 1_000;

/** The parts of the benchmark, by their names in `--only`. */
const parts = {
  alone: measureAlone,
  mix: measureMix,
  reload: (stage: Stage) => measureReload(stage, () => start(stage)),
  walk: (stage: Stage) => walkOperations(stage, (environment) => start(stage, environment)),
};

/** Measures a large community, on either engine. */
export async function measureCrowd(isOnPostgres: boolean): Promise<void> {
  const size = Number(optionOf('--size') ?? 1);
  const only = optionOf('--only')?.split(',') ?? Object.keys(parts);
  await withCommunity(isOnPostgres, size, async (stage) => {
    const lines = [
      `${machine}, ${CONNECTIONS} connections. ${Object.entries(amountsAt(size))
        .map(([name, amount]) => `${amount.toLocaleString('en')} ${name}`)
        .join(', ')}.`,
      '',
    ];
    for (const [name, measure] of Object.entries(parts))
      if (only.includes(name)) lines.push(...(await measure(stage)), '');
    const title = `A crowd, ${stage.engine}`;
    if (size === 1 && only.length === Object.keys(parts).length) keep(title, lines);
    else say(`\n## ${title}\n\n${lines.join('\n')}`);
  });
}

/** Starts a node on the stage's data, from this checkout or from the folder in `--checkout`. */
function start({ folder, database }: Stage, environment: Record<string, string> = {}): Promise<Running> {
  const script = resolve(
    optionOf('--checkout') ?? resolve(import.meta.dirname, '../..'),
    'server/bin/palaver.js',
  );
  return startOnServerCore(script, ['start', '--data', folder, '--port', '0'], {
    PALAVER_LIMITS: '{"*":0}',
    PALAVER_STREAMS: String(2 * STREAMS),
    ...(database && { DATABASE_URL: database }),
    ...environment,
  });
}

const ms = (value: number): string => value.toFixed(value < 10 ? 2 : 1);
const count = (value: number): string => Math.round(value).toLocaleString('en');

async function withNode<T>(stage: Stage, use: (node: Running) => Promise<T>): Promise<T> {
  const node = await start(stage);
  try {
    await untilIdle(node);
    return await use(node);
  } finally {
    await node.stop();
  }
}

/** Measures each kind of request on its own. */
async function measureAlone(stage: Stage): Promise<string[]> {
  return withNode(stage, async (node) => {
    const requests = new Requests(node.url, CONNECTIONS);
    const lines = [
      '| Alone | Node CPU, ms | PostgreSQL CPU, ms | Per second | p50 | p99 | Bytes | Requests |',
      '|---|---|---|---|---|---|---|---|',
    ];
    for (const kind of kindsOf(stage, requests, new Random(2))) {
      await drive(stage, node, CONNECTIONS, WARM_UP_SECONDS, () => kind);
      const { rate, cpu, cpuOfDatabase, done } = await drive(stage, node, CONNECTIONS, SECONDS, () => kind);
      const { p50, p99, bytes, requests } = timesOf(done.get(kind) ?? []);
      const cells = [ms(cpu), ms(cpuOfDatabase), count(rate), ms(p50), ms(p99), count(bytes), ms(requests)];
      lines.push(`| ${[kind.name, ...cells].join(' | ')} |`);
      say(lines.at(-1) as string);
    }
    requests.close();
    return lines;
  });
}

/** Measures the mix with open streams, and the latency of other requests while it runs. */
async function measureMix(stage: Stage): Promise<string[]> {
  return withNode(stage, async (node) => {
    const requests = new Requests(node.url, CONNECTIONS);
    const beside = new Beside(node.url);
    const watching = stage.people.slice(0, STREAMS).map((person) => sessionOf(stage, person));
    const streams = await StreamClients.gatherWith(
      node,
      Math.min(STREAMS, watching.length),
      watching,
      stage.folder,
      {
        path: '/api/people/events',
      },
    );
    try {
      await untilIdle(node);
      await beside.take();
      await sleep(WARM_UP_SECONDS * 1_000);
      const idle = await beside.take();
      const random = new Random(3);
      const kinds = kindsOf(stage, requests, random);
      await drive(stage, node, CONNECTIONS, WARM_UP_SECONDS, () => drawn(kinds, random));
      await beside.take();
      const { rate, cpu, cpuOfDatabase, done } = await drive(stage, node, CONNECTIONS, MIX_SECONDS, () =>
        drawn(kinds, random),
      );
      const waits = await beside.take();
      const all = timesOf([...done.values()].flat());
      const lines = [
        `The mix with ${count(watching.length)} streams: ${count(rate)} requests a second, ${ms(cpu)} ms of CPU each (PostgreSQL ${ms(cpuOfDatabase)} ms), p50 ${ms(all.p50)} ms, p99 ${ms(all.p99)} ms. Meanwhile, /healthz took ${ms(percentile(waits, 0.99))} ms (p99) and ${ms(Math.max(...waits))} ms at most; before, it took ${ms(percentile(idle, 0.99))} and ${ms(Math.max(...idle))} ms.`,
        '',
        '| In the mix | Share | p50 | p99 | Bytes | Requests |',
        '|---|---|---|---|---|---|',
      ];
      for (const kind of kinds) {
        const { p50, p99, bytes, requests } = timesOf(done.get(kind) ?? []);
        if (kind.share > 0)
          lines.push(
            `| ${kind.name} | ${kind.share} % | ${[ms(p50), ms(p99), count(bytes), ms(requests)].join(' | ')} |`,
          );
      }
      say(lines.join('\n'));
      return lines;
    } finally {
      streams.disperse();
      await beside.close();
      requests.close();
    }
  });
}
