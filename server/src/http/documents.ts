import swagger from '@fastify/swagger';
import scalar from '@scalar/fastify-api-reference';
import type { FastifyInstance } from 'fastify';
import { flagMeanings } from '../lib/flags.ts';

/** The label of the specification that this implements (part 9). */
export const SPECIFICATION_VERSION = 'v2026.03.6600f9';

const description = `Palaver is a chat platform that is driven through this API: servers, channels, messages, threads and what belongs to them.

Every request carries an API key: \`Authorization: Bearer sk_live_…\`. A key is for one server and has the flags of its role:

| Flag | Allows |
|---|---|
${Object.entries(flagMeanings)
  .map(([flag, meaning]) => `| ${flag} | ${meaning} |`)
  .join('\n')}

Every answer is JSON: \`{"ok": true, "data": …}\`, or \`{"ok": false, "error": {"code", "message", "requestId"}}\`. Lists carry \`nextCursor\`: send it as \`cursor\` to go on. Times are milliseconds since the Unix epoch. Requests are limited per user and kind: see the headers \`RateLimit\` and \`Retry-After\`. Any POST may carry \`Idempotency-Key\`.`;

/** `/openapi.json`, made from the endpoints' rows, and `/docs`, which shows it without the internet. */
export async function mountDocuments(
  app: FastifyInstance,
  tags: { name: string; description: string }[],
): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Palaver',
        version: SPECIFICATION_VERSION,
        description,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
        contact: { name: 'Palaver', url: 'https://palaver.example' },
      },
      servers: [{ url: '/', description: 'This server' }],
      tags,
      components: {
        securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: sk_live_…' } },
      },
    },
    refResolver: { buildLocalReference: (json) => json.$id as string },
  });
  app.get('/openapi.json', { schema: { hide: true } }, async (_request, reply) => {
    reply.header('cache-control', 'no-cache');
    return app.swagger();
  });
  await app.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      url: '/openapi.json',
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      agent: { disabled: true },
    } as never,
  });
}
