import type { FastifyInstance } from 'fastify';
import type { KeyCounts } from '../../access/keyCounts.ts';

/** Counts the requests of each API key by status. */
export function countKeys(app: FastifyInstance, counts: KeyCounts): void {
  app.addHook('onResponse', ({ caller }, { statusCode }, done) => {
    if (caller?.credential.kind === 'apiKey')
      counts.note(caller.credential.id, caller.principal.serverId, statusCode);
    done();
  });
}
