import { cpuOfPostgres } from '../postgresUse.ts';
import type { Running } from '../processes.ts';
import { percentile } from '../report.ts';
import type { Stage } from './kept.ts';
import type { Done, Kind } from './kinds.ts';

/** The cost of a load, and the durations of its requests. */
export interface Figures {
  /** Requests per second. */
  rate: number;
  /** The node's CPU time per request, in milliseconds. `cpuOfDatabase` is PostgreSQL's. */
  cpu: number;
  cpuOfDatabase: number;
  /** Results by kind of activity. */
  done: Map<Kind, Done[]>;
}

/** Runs activities for some seconds, with a fixed concurrency. */
export async function drive(
  { database }: Pick<Stage, 'database'>,
  node: Running,
  atOnce: number,
  seconds: number,
  next: () => Kind,
): Promise<Figures> {
  const done = new Map<Kind, Done[]>();
  const cpu = async () => [node.cpu(), database ? await cpuOfPostgres(database) : 0] as const;
  const [before, ofDatabase] = await cpu();
  const from = performance.now();
  const end = from + seconds * 1_000;
  const one = async () => {
    while (performance.now() < end) {
      const kind = next();
      const result = await kind.run();
      const others = done.get(kind);
      if (others) others.push(result);
      else done.set(kind, [result]);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, one));
  const took = (performance.now() - from) / 1_000;
  const [after, ofDatabaseAfter] = await cpu();
  const requests = [...done.values()].flat().reduce((sum, { requests }) => sum + requests, 0);
  return {
    rate: requests / took,
    cpu: ((after - before) * 1_000) / requests,
    cpuOfDatabase: ((ofDatabaseAfter - ofDatabase) * 1_000) / requests,
    done,
  };
}

/**
 * The median and the 99th percentile of the durations in milliseconds, and the average number of bytes and
 * requests.
 */
export function timesOf(done: readonly Done[]) {
  const times = done.map(({ ms }) => ms);
  const average = (of: (one: Done) => number) => done.reduce((sum, one) => sum + of(one), 0) / done.length;
  return {
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    bytes: average(({ bytes }) => bytes),
    requests: average(({ requests }) => requests),
  };
}
