import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import type { Db } from '../db/contract.ts';

/** What an operator's tools ask: is it alive, is it ready, how is it doing. */
export function mountOperation(
  app: FastifyInstance,
  db: Db,
  registry: Registry,
  isStopping: () => boolean,
): void {
  app.get('/healthz', async () => ({ ok: true }));

  app.get('/readyz', async (request, reply) => {
    const { ok, reason } = isStopping() ? { ok: false, reason: 'stopping' } : await db.health();
    if (!ok) {
      request.log.warn({ reason }, 'not ready');
      reply.code(503);
    }
    return { ok, checks: { database: ok ? 'ok' : 'not ok' } };
  });

  app.get('/metrics', async (_request, reply) => {
    reply.header('content-type', registry.contentType);
    return registry.metrics();
  });
}
