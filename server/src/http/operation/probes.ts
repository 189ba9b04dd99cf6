import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import type { Db } from '../../db/contract.ts';
import type { Valkey } from '../../lib/valkey.ts';

interface ProbeOptions {
  db: Db;
  /** Undefined for a single node. */
  valkey: Pick<Valkey, 'up' | 'reason'> | undefined;
  registry: Registry;
  isStopping(): boolean;
}

/** Serves `/healthz` (the process runs), `/readyz` (the data can be read and written) and `/metrics`. */
export function mountProbes(app: FastifyInstance, { db, valkey, registry, isStopping }: ProbeOptions): void {
  app.get('/healthz', async () => ({ ok: true }));

  app.get('/readyz', async (request, reply) => {
    const { ok, reason } = isStopping() ? { ok: false, reason: 'stopping' } : await db.health();
    if (!ok) {
      request.log.warn({ reason }, 'not ready');
      reply.code(503);
    }
    // Requests are served without Valkey too, so the node stays ready.
    if (valkey && !valkey.up) request.log.warn({ reason: valkey.reason }, 'valkey is down');
    return {
      ok,
      checks: {
        database: ok ? 'ok' : 'not ok',
        ...(valkey && { valkey: valkey.up ? 'ok' : 'not ok: limits are kept by each node' }),
      },
    };
  });

  app.get('/metrics', async (_request, reply) => {
    reply.header('content-type', registry.contentType);
    return registry.metrics();
  });
}
