import type { FastifyInstance } from 'fastify';
import { late } from '../../lib/late.ts';
import { SharedText } from './sharedText.ts';

/** Serves `/openapi.json`. `describe` is called on first use. */
export function mountDocument(app: FastifyInstance, describe: () => Promise<object>): void {
  const document = late(async () => new SharedText(JSON.stringify(await describe())));
  app.get('/openapi.json', async (request, reply) => {
    reply.header('content-type', 'application/json; charset=utf-8');
    return (await document()).answer(request, reply);
  });
}
