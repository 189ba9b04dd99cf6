import { hash } from 'node:crypto';
import { extname } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import packageFile from '../../../package.json' with { type: 'json' };
import { late } from '../../lib/late.ts';
import { markdownUnder, pageUnder } from '../base.ts';
import { pathNotFound } from '../server.ts';
import { SharedText } from '../sharedText.ts';
import { wantsPage } from '../wantsPage.ts';
import type { Description } from './description.ts';
import { readAssets } from './pageFiles.ts';

const ASSETS = '/docs/assets';

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The content at a URL that contains its digest never changes. */
const FOR_EVER = { 'cache-control': 'public, max-age=31536000, immutable' };
const FOR_A_DAY = { 'cache-control': 'public, max-age=86400' };

/**
 * The pages' Content-Security-Policy. It allows only files from this server, and nothing that is injected
 * into the page.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy,
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'same-origin',
};

/** The path of the list of all pages as Markdown (llmstxt.org). */
const LIST = '/llms.txt';

const isPlain = (address: string): boolean => address === LIST || address.endsWith('.md');

const plainHeaders = {
  'content-type': 'text/markdown; charset=utf-8',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
};

/** Search engines should not index the same guides from every installation, or private servers. */
const ROBOTS = 'User-agent: *\nDisallow: /\n';

/**
 * Serves the pages below `/docs/`: a start page, guides, reference and search. Everything is rendered on
 * first use, page by page, from the OpenAPI document that `describe` returns and the repository's Markdown.
 * Pages have an ETag; styles and scripts are immutable; nothing is loaded from elsewhere.
 */
export function mountPages(app: FastifyInstance, describe: () => Promise<object>): void {
  const { base } = app.site;
  const assets = late(openAssets);
  const site = late(async () => {
    const { Site } = await import('./site.ts');
    return Site.open(
      (await describe()) as Description,
      packageFile.version,
      `${ASSETS}/${(await assets()).digest}`,
    );
  });
  const pages = new Map<string, SharedText>();
  /** Returns the page at a path, as HTML or Markdown. Only existing pages are cached. */
  const pageAt = async (address: string): Promise<SharedText | undefined> => {
    const known = pages.get(address);
    if (known) return known;
    const opened = await site();
    const page = isPlain(address) ? opened.plain(address) : opened.page(address);
    if (page === undefined) return undefined;
    const text = new SharedText((isPlain(address) ? markdownUnder : pageUnder)(base, page));
    pages.set(address, text);
    return text;
  };

  const missing = late(async () => pageUnder(base, (await site()).missing()));
  app.get('/docs', (_request, reply) => reply.redirect(`${base}/docs/`, 308));
  app.get('/docs/*', async (request, reply) => {
    const [address = ''] = request.url.split('?', 1);
    const page = await pageAt(address);
    if (page) return page.answer(request, reply.headers(isPlain(address) ? plainHeaders : pageHeaders));
    if (!wantsPage(request)) throw pathNotFound(request.method, request.url);
    return reply
      .code(404)
      .headers(pageHeaders)
      .send(await missing());
  });

  const search = late(async () => new SharedText(JSON.stringify(await (await site()).places())));
  app.get('/docs/search.json', async (request, reply) => {
    reply.header('content-type', 'application/json; charset=utf-8');
    return (await search()).answer(request, reply);
  });

  mountAssets(app, assets);
  app.get(LIST, async (request, reply) => {
    const list = (await pageAt(LIST)) as SharedText;
    return list.answer(
      request,
      reply.headers({ ...plainHeaders, 'content-type': 'text/plain; charset=utf-8' }),
    );
  });
  app.get('/robots.txt', async (_request, reply) => {
    reply.header('content-type', 'text/plain; charset=utf-8');
    return ROBOTS;
  });
}

/** The assets, and a digest of all of them. */
interface Assets {
  files: Map<string, SharedText>;
  digest: string;
}

/** Serves the styles, scripts and icons. */
function mountAssets(app: FastifyInstance, assets: () => Promise<Assets>): void {
  const file = async (
    name: string,
    request: FastifyRequest,
    reply: FastifyReply,
    headers?: Record<string, string>,
  ) => {
    const text = (await assets()).files.get(name);
    if (!text) throw pathNotFound(request.method, request.url);
    return text.answer(request, reply.header('content-type', types[extname(name)]), { headers });
  };
  app.get<{ Params: { digest: string; name: string } }>(`${ASSETS}/:digest/:name`, async (request, reply) => {
    const { digest, name } = request.params;
    // A page that was loaded before an upgrade gets the current file, without caching.
    return file(name, request, reply, digest === (await assets()).digest ? FOR_EVER : undefined);
  });
  for (const name of ['favicon.svg', 'favicon-news.svg', 'favicon.ico'])
    app.get(`/${name}`, (request, reply) => file(name, request, reply, FOR_A_DAY));
}

async function openAssets(): Promise<Assets> {
  const contents = await readAssets();
  const digest = hash('sha256', Buffer.concat([...contents.values()]), 'base64url').slice(0, 12);
  const files = [...contents].map(([name, bytes]): [string, SharedText] => [name, new SharedText(bytes)]);
  return { files: new Map(files), digest };
}
