import type { FastifyInstance } from 'fastify';
import type { Db } from '../../db/contract.ts';
import { type Disks, isNearlyFull } from '../../lib/diskSpace.ts';
import type { Valkey } from '../../lib/valkey.ts';
import type { Metrics } from './metrics.ts';

interface ProbeOptions {
  db: Db;
  /** The shared Valkey instance; undefined for a single node. */
  valkey: Pick<Valkey, 'up' | 'reason'> | undefined;
  disks: Disks;
  isStopping(): boolean;
}

/**
 * The cache TTL of metrics. Producing them queries the database, and anyone who can reach the port may
 * request them.
 */
const METRICS_AGE_MS = 1_000;

/**
 * Serves `/healthz` (liveness: the process runs) and `/readyz` (readiness: the data can be read and written).
 */
export function mountProbes(app: FastifyInstance, { db, valkey, disks, isStopping }: ProbeOptions): void {
  app.get('/healthz', async () => ({ ok: true }));

  app.get('/readyz', async (request, reply) => {
    const { ok, reason } = isStopping() ? { ok: false, reason: 'stopping' } : await db.health();
    if (!ok) {
      request.log.warn({ requestId: request.id, reason }, 'not ready');
      reply.code(503);
    }
    // Requests work without Valkey, so the node stays ready.
    if (valkey && !valkey.up)
      request.log.warn({ requestId: request.id, reason: valkey.reason }, 'valkey is down');
    return {
      ok,
      checks: {
        database: ok ? 'ok' : 'not ok',
        // The node still accepts reads and deletions.
        ...((await isNearlyFull(disks)) && { disk: 'nearly full: changes are rejected' }),
        ...(valkey && { valkey: valkey.up ? 'ok' : 'not ok: each node enforces limits on its own' }),
      },
    };
  });
}

/** Serves `/metrics`. */
export function mountMetrics(app: FastifyInstance, metrics: Metrics): void {
  let madeAt = Number.NEGATIVE_INFINITY;
  let latest: Promise<Buffer> | undefined;
  app.get('/metrics', async (_request, reply) => {
    reply.header('content-type', metrics.contentType);
    const now = performance.now();
    if (!latest || now - madeAt >= METRICS_AGE_MS) {
      madeAt = now;
      latest = metrics.text().then(Buffer.from);
    }
    return latest;
  });
}
