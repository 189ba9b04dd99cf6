import type { FastifyInstance } from 'fastify';
import { late } from '../../lib/late.ts';
import { markdownUnder } from '../base.ts';
import { AddressedText } from './addressed.ts';

/**
 * Serves `/openapi.json`. On first use, calls `describe`, which returns the document for an address of the
 * server.
 */
export function mountDocument(
  app: FastifyInstance,
  describe: () => Promise<(address: string) => object>,
): void {
  const document = late(async () => {
    const documentAt = await describe();
    const { base } = app.site;
    return new AddressedText((address) => markdownUnder(base, JSON.stringify(documentAt(address))));
  });
  app.get('/openapi.json', async (request, reply) => {
    reply.header('content-type', 'application/json; charset=utf-8');
    const { text, isPlain } = (await document()).textFor(request);
    return text.answer(request, reply, { isPlain });
  });
}
