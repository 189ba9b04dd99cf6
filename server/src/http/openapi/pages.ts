import { hash } from 'node:crypto';
import { once } from 'node:events';
import type { FastifyInstance } from 'fastify';
import { late } from '../../lib/late.ts';
import { startThread } from '../../lib/thread.ts';
import { SharedText } from './sharedText.ts';

const DOCS = '/docs';
/** The paths of the reader: a redirect, the page, its script. */
const paths = [DOCS, `${DOCS}/`, `${DOCS}/js/scalar.js`];

/**
 * Serves `/openapi.json`, and `/docs`, its reader, which needs no internet. `describe` is called on first use, and the
 * reader is loaded on first use too, by a thread: it is 300 modules with 4 MB of text, and many nodes never show it.
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
      const { status, headers, body } = (await reader()).get(path) as Answer;
      reply.code(status).headers(headers);
      return status === 200 ? body.answer(request, reply) : '';
    });
  }
}

/** The reader's answer to each path, made by a thread. */
async function readerAnswers(): Promise<Map<string, Answer>> {
  const thread = startThread(new URL('./readerWorker.js', import.meta.url), {
    workerData: { prefix: DOCS, paths },
  });
  const [made] = (await once(thread, 'message')) as [ReaderAnswer[]];
  const answers = made.map(({ path, status, headers, body }): [string, Answer] => {
    const isPage = headers['content-type']?.startsWith('text/html');
    const policy = policyOf(isPage ? Buffer.from(body).toString() : '');
    return [
      path,
      { status, headers: { 'content-security-policy': policy, ...headers }, body: new SharedText(body) },
    ];
  });
  return new Map(answers);
}

/** The reader's answer to a path, as `readerWorker.js` sends it. */
interface ReaderAnswer {
  path: string;
  status: number;
  headers: { 'content-type'?: string; location?: string };
  body: Uint8Array;
}

interface Answer {
  status: number;
  headers: Record<string, string>;
  body: SharedText;
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
