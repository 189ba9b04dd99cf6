import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import type { Db } from '../../db/contract.ts';
import type { Valkey } from '../../lib/valkey.ts';

/** The parts that are looked at. */
interface Operated {
  db: Db;
  /** Undefined for a single node. */
  valkey: Pick<Valkey, 'up' | 'reason'> | undefined;
  registry: Registry;
  isStopping(): boolean;
}

/** The questions of an operator's tools: is it alive, is it ready, how is it doing. */
export function mountProbes(app: FastifyInstance, { db, valkey, registry, isStopping }: Operated): void {
  app.get('/healthz', async () => ({ ok: true }));

  app.get('/readyz', async (request, reply) => {
    const { ok, reason } = isStopping() ? { ok: false, reason: 'stopping' } : await db.health();
    if (!ok) {
      request.log.warn({ reason }, 'not ready');
      reply.code(503);
    }
    // Without Valkey every request is still served.
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
