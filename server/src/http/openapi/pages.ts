import { hash } from 'node:crypto';
import scalar from '@scalar/fastify-api-reference';
import type { FastifyInstance } from 'fastify';
import { SharedText } from './sharedText.ts';

/** Serves `/openapi.json`, and `/docs`, its reader, which needs no internet. `describe` is called on first use. */
export async function mountDocuments(app: FastifyInstance, describe: () => object): Promise<void> {
  await app.register(async (docs) => {
    // Made once each: the text of an answer with its own bytes would stay in memory for each client that does not read.
    const files = new Map<string, { policy: string; text: SharedText }>();
    docs.addHook('onSend', async (request, reply, payload) => {
      const { url } = request.routeOptions;
      if (typeof payload !== 'string' || reply.statusCode !== 200 || url === undefined) return payload;
      let file = files.get(url);
      if (!file) {
        file = { policy: policyOf(payload), text: new SharedText(payload) };
        files.set(url, file);
      }
      reply.header('content-security-policy', file.policy);
      return file.text.answer(request, reply);
    });
    let document: string | undefined;
    docs.get('/openapi.json', async (_request, reply) => {
      reply.header('content-type', 'application/json; charset=utf-8');
      document ??= JSON.stringify(describe());
      return document;
    });
    await docs.register(scalar, {
      routePrefix: '/docs',
      configuration: {
        url: '/openapi.json',
        pageTitle: 'Palaver API',
        withDefaultFonts: false,
        telemetry: false,
        hideClientButton: true,
        agent: { disabled: true },
        mcp: { disabled: true },
        showDeveloperTools: 'never',
        showToolbar: 'never',
      } as never,
    });
  });
}

/** The content security policy of a page: it allows its inline scripts and files of this server, and nothing else. */
function policyOf(page: string): string {
  const inline = [...page.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g)];
  const hashes = inline.map(([, code]) => `'sha256-${hash('sha256', code as string, 'base64')}'`);
  return [
    "default-src 'none'",
    ["script-src 'self'", ...hashes].join(' '),
    // The page generates styles and pictures.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
