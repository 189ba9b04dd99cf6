import { extname } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import packageFile from '../../../package.json' with { type: 'json' };
import { ApiError } from '../../errors.ts';
import { pageUnder } from '../base.ts';
import { sendBytes } from '../chunks.ts';
import { has, notModified } from '../conditional.ts';
import { encodingFor } from '../encoding.ts';
import { pathNotFound } from '../server.ts';
import { SharedText } from '../sharedText.ts';
import { wantsPage } from '../wantsPage.ts';
import { shellHeaders, shellHeadersWith } from './headers.ts';
import { languageFor, renewed } from './language.ts';
import type { WebFile, WebFiles } from './webFiles.ts';

/** The client's paths besides `/`. All of them serve the shell, whose script renders the page. */
const paths = [
  '/s/:serverId',
  '/s/:serverId/c/:channelId',
  '/s/:serverId/c/:channelId/m/:messageId',
  '/s/:serverId/settings',
  '/s/:serverId/settings/:page',
  '/direct',
  '/me',
  '/me/:page',
  '/later',
  '/later/:page',
  '/platform',
  '/platform/:page',
  '/sign-in',
  '/sign-up',
  '/invite/:inviteId',
  '/device',
];

/** Paths that may contain a secret. Their pages never send a referrer. */
const secretPaths = ['/welcome', '/reset', '/authorize', '/sign-in/:provider'];

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};

/** Files with the digest of their content in their name never change. */
const FOR_EVER = 'public, max-age=31536000, immutable';

/** The file with the shell for visitors with a session. */
const SIGNED_IN = 'signedIn.html';
/** The file with the shell for visitors without a session. */
const SIGNED_OUT = 'signedOut.html';

/** The request headers that the shell depends on. `accept-language` and `cookie` determine its language. */
const SHELL_VARIES = 'accept-encoding, accept-language, cookie, sec-fetch-site';

/** Returns the response at `/` for API clients. */
const aboutUnder = (base: string) => ({
  name: 'Palaver',
  version: packageFile.version,
  api: `${base}/api/v1`,
  openapi: `${base}/openapi.json`,
  docs: `${base}/docs/`,
  health: `${base}/healthz`,
  ready: `${base}/readyz`,
});

/**
 * A function that responds to browsers at a path without a page. Resolves to false, leaving the reply
 * untouched, for API clients, or if the client is not built.
 */
export type AnswerMissing = (request: FastifyRequest, reply: FastifyReply) => Promise<boolean>;

/**
 * Serves the web client: its shell at every page path, and its files under `/web/` and at the root. Nothing is
 * read before its first use. Returns the handler that serves the "not found" page to browsers.
 */
export function mountWeb(app: FastifyInstance): AnswerMissing {
  let files: WebFiles | undefined;
  const { base } = app.site;
  const about = aboutUnder(base);
  const shells = new Shells(base);
  const opened = async (): Promise<WebFiles | undefined> => {
    const { WebFiles } = await import('./webFiles.ts');
    files = await WebFiles.open(files);
    return files;
  };

  const shell = async (request: FastifyRequest, reply: FastifyReply, more?: ShellHeaders) =>
    sendShell(request, reply, await opened(), shells, more);

  app.get('/', async (request, reply) => {
    if (!wantsPage(request)) {
      reply.header('vary', 'accept, accept-encoding');
      return { ok: true, data: about };
    }
    // In a checkout, the client may not have been built, or its build may have failed.
    if (!(await opened())) return reply.redirect(`${base}/docs/start`, 302);
    return shell(request, reply, { vary: `accept, ${SHELL_VARIES}` });
  });
  for (const path of paths) app.get(path, (request, reply) => shell(request, reply));
  for (const path of secretPaths)
    app.get(path, (request, reply) => shell(request, reply, { 'referrer-policy': 'no-referrer' }));

  for (const name of ['serviceWorker.js', 'manifest.webmanifest', 'licences.txt'])
    app.get(`/${name}`, async (request, reply) => {
      const file = (await opened())?.file(name);
      if (!file) throw pathNotFound(request.method, request.url);
      return answer(request, reply.header('content-type', types[extname(name)]), file, 'no-cache');
    });
  app.get<{ Params: { name: string } }>('/web/:name', async (request, reply) => {
    const { name } = request.params;
    const file =
      (files ?? (await opened()))?.file(`files/${name}`) ?? (await opened())?.file(`files/${name}`);
    if (!file) throw pathNotFound(request.method, request.url);
    return answer(request, reply.header('content-type', types[extname(name)]), file, FOR_EVER);
  });

  return async (request, reply) => {
    if (request.method !== 'GET' || !wantsPage(request)) return false;
    return sendMissing(request, reply, await opened(), shells);
  };
}

/** The shells of a server. They contain its base path. */
class Shells {
  readonly #base: string;
  readonly #known = new WeakMap<WebFile, Promise<SharedText>>();

  constructor(base: string) {
    this.#base = base;
  }

  /** Returns the shell with links under the base path. Its script reads the base path from `data-base`. */
  async textOf(file: WebFile): Promise<string> {
    const page = String(await file.bytes(undefined));
    return pageUnder(this.#base, page).replace('<html ', `<html data-base="${this.#base}" `);
  }

  of(file: WebFile): Promise<SharedText> {
    let shell = this.#known.get(file);
    if (!shell) {
      shell = this.textOf(file).then((text) => new SharedText(text));
      this.#known.set(file, shell);
      shell.catch(() => this.#known.delete(file));
    }
    return shell;
  }
}

/**
 * Returns the file with the shell. With a session, it preloads the signed-in client. Without one, it tells
 * the client so, and the client skips a request that would be rejected. It does neither if the visitor
 * followed a link from another site, because the browser then withholds the cookie.
 */
function shellFor(request: FastifyRequest): string {
  if (request.server.site.hasToken(request)) return SIGNED_IN;
  const { 'sec-fetch-site': fetchSite } = request.headers;
  return fetchSite === 'none' || fetchSite === 'same-origin' ? SIGNED_OUT : 'index.html';
}

/** Headers that override those of the shell. `vary` lists the headers that the response depends on. */
interface ShellHeaders {
  'referrer-policy'?: string;
  vary?: string;
}

/** Responds with the shell in the person's language. */
async function sendShell(
  request: FastifyRequest,
  reply: FastifyReply,
  web: WebFiles | undefined,
  shells: Shells,
  more?: ShellHeaders,
) {
  const { base, cookiePath } = request.server.site;
  const language = languageFor(request.headers, web?.languages ?? []);
  const name = shellFor(request);
  const file = web?.file(`${language.tag}/${name}`);
  if (!file) throw new ApiError('NOT_FOUND', 'the web client is not built: run "npm run web"');
  const { tag, cookie } = language;
  if (cookie !== undefined) reply.header('set-cookie', renewed(cookie, tag, cookiePath));
  const headers = web && name === SIGNED_IN ? shellHeadersWith(web.inline) : shellHeaders;
  const all = { vary: SHELL_VARIES, ...headers, ...more };
  if (base !== '') return (await shells.of(file)).answer(request, reply, { headers: all });
  return answer(request, reply.headers(all), file, 'no-cache');
}

/** Responds with the "not found" page. Resolves to false if the client is not built. */
async function sendMissing(
  request: FastifyRequest,
  reply: FastifyReply,
  web: WebFiles | undefined,
  shells: Shells,
): Promise<boolean> {
  // A "not found" page does not preload the signed-in client, but it still tells the client if there is no
  // session.
  const shell = shellFor(request) === SIGNED_OUT ? SIGNED_OUT : 'index.html';
  const file = web?.file(`${languageFor(request.headers, web.languages).tag}/${shell}`);
  if (!file) return false;
  reply.code(404).headers({ ...shellHeaders, vary: 'accept, accept-language, cookie, sec-fetch-site' });
  reply.send(request.server.site.base === '' ? await file.bytes(undefined) : await shells.textOf(file));
  return true;
}

/** Responds with a file in a coding that the client accepts, or with 304 if the client has it. */
async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  file: WebFile,
  cacheControl: string,
): Promise<string | Uint8Array | FastifyReply> {
  const encoding = encodingFor(request, file.codings);
  const tag = `"${file.digest}${encoding ? `-${encoding}` : ''}"`;
  reply.headers({ etag: tag, 'cache-control': cacheControl });
  if (!reply.hasHeader('vary')) reply.header('vary', 'accept-encoding');
  if (has(request, tag)) return notModified(reply);
  if (encoding) reply.header('content-encoding', encoding);
  return sendBytes(reply, await file.bytes(encoding));
}
