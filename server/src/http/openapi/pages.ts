import { hash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { late } from '../../lib/late.ts';
import { SharedText } from './sharedText.ts';

const DOCS = '/docs';
/** The paths of the reader: a redirect, the page, its script. */
const paths = [DOCS, `${DOCS}/`, `${DOCS}/js/scalar.js`];

/**
 * Serves `/openapi.json`, and `/docs`, its reader, which needs no internet. `describe` is called on first use, and the
 * reader is loaded on first use too: it is 300 modules with 4 MB of text, and many nodes never show it.
 */
export function mountDocuments(app: FastifyInstance, describe: () => Promise<object>): void {
  const document = late(async () => new SharedText(JSON.stringify(await describe())));
  app.get('/openapi.json', async (request, reply) => {
    reply.header('content-type', 'application/json; charset=utf-8');
    return (await document()).answer(request, reply);
  });
  const reader = late(readerAnswers);
  for (const path of paths) {
    app.get(path, async (request, reply) => {
      const { status, headers, body } = (await reader()).get(path) as ReaderAnswer;
      reply.code(status).headers(headers);
      return status === 200 ? body.answer(request, reply) : '';
    });
  }
}

interface ReaderAnswer {
  status: number;
  headers: Record<string, string>;
  body: SharedText;
}

/** The reader's answer to each path. It is asked in an app of its own, since one that listens takes no more routes. */
async function readerAnswers(): Promise<Map<string, ReaderAnswer>> {
  const [{ default: fastify }, { default: scalar }] = await Promise.all([
    import('fastify'),
    import('@scalar/fastify-api-reference'),
  ]);
  const reader = fastify();
  await reader.register(scalar, {
    routePrefix: DOCS,
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
  const answers = new Map<string, ReaderAnswer>();
  for (const path of paths) {
    const { statusCode, headers, body } = await reader.inject(path);
    const { 'content-type': type, location } = headers;
    answers.set(path, {
      status: statusCode,
      headers: {
        'content-security-policy': policyOf(body),
        ...(typeof type === 'string' && { 'content-type': type }),
        ...(typeof location === 'string' && { location }),
      },
      body: new SharedText(body),
    });
  }
  await reader.close();
  return answers;
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
