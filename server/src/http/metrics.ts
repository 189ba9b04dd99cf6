import type { onResponseHookHandler } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Db } from '../db/contract.ts';

/** Makes the hook that counts and times the answers of one route. */
export type Observe = (method: string, route: string) => onResponseHookHandler;

/** Figures for Prometheus: requests by route and status, commits, and what the process uses. */
export function measure(db: Db): { registry: Registry; observe: Observe } {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'palaver_' });
  const durations = new Histogram({
    name: 'palaver_http_request_duration_seconds',
    help: 'How long requests took, by route and status',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
    registers: [registry],
  });
  const observe: Observe = (method, route) => {
    // Looking a set of labels up costs more than counting: each is kept once it was met.
    const timers = new Map<number, { observe(seconds: number): void }>();
    return (_request, reply, done) => {
      const { statusCode } = reply;
      let timer = timers.get(statusCode);
      if (!timer) {
        timer = durations.labels({ method, route, status: String(statusCode) });
        timers.set(statusCode, timer);
      }
      timer.observe(reply.elapsedTime / 1000);
      done();
    };
  };
  for (const [name, help] of [
    ['batches', 'Transactions that were committed'],
    ['works', 'Writes that they carried'],
  ] as const) {
    let before = 0;
    new Counter({
      name: `palaver_commit_${name}_total`,
      help,
      registers: [registry],
      collect() {
        this.inc(db.figures[name] - before);
        before = db.figures[name];
      },
    });
  }
  new Gauge({
    name: 'palaver_ready',
    help: '1 if the data can be read and written',
    registers: [registry],
    async collect() {
      this.set((await db.health()).ok ? 1 : 0);
    },
  });
  return { registry, observe };
}
