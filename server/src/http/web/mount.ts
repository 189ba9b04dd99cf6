import { extname } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import packageFile from '../../../package.json' with { type: 'json' };
import { ApiError } from '../../errors.ts';
import { has, notModified } from '../conditional.ts';
import { acceptedBy } from '../encoding.ts';
import { sendBytes } from '../portions.ts';
import { pathNotFound } from '../server.ts';
import { wantsPage } from '../wantsPage.ts';
import type { WebFile, WebFiles } from './files.ts';
import { shellHeaders, shellHeadersWith } from './headers.ts';
import { languageFor, renewed } from './language.ts';

/** The addresses of the client beside `/`: all have the same shell, and its script does the rest. */
const paths = [
  '/s/:serverId',
  '/s/:serverId/c/:channelId',
  '/s/:serverId/c/:channelId/m/:messageId',
  '/s/:serverId/settings',
  '/s/:serverId/settings/:page',
  '/me',
  '/me/:page',
  '/platform',
  '/platform/:page',
  '/sign-in',
  '/sign-up',
  '/invite/:inviteId',
  '/device',
];

/** Those that may be opened with a secret in them: no other page is told of it, nor what this page loads. */
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

/** A name with the digest of its content shows the same for ever. */
const FOR_EVER = 'public, max-age=31536000, immutable';

/** The shell of somebody who has a session. */
const SIGNED_IN = 'signedIn.html';

/** The headers of a request by which the shell is another: its language by two of them. */
const SHELL_VARIES = 'accept-encoding, accept-language, cookie, sec-fetch-site';

/** The answer at `/` to a program. */
const about = {
  name: 'Palaver',
  version: packageFile.version,
  api: '/api/v1',
  openapi: '/openapi.json',
  docs: '/docs/',
  health: '/healthz',
  ready: '/readyz',
};

/** Answers a browser at an address without a page. Resolves to false, and has done nothing, for a program, or without a built client. */
export type AnswerMissing = (request: FastifyRequest, reply: FastifyReply) => Promise<boolean>;

/**
 * Serves the web client: its shell at every address that people see, and its files below `/web/`.
 * Nothing is read before it is first asked for. Returns what shows people that an address has no page.
 */
export function mountWeb(app: FastifyInstance): AnswerMissing {
  let files: WebFiles | undefined;
  const opened = async (): Promise<WebFiles | undefined> => {
    const { WebFiles } = await import('./files.ts');
    files = await WebFiles.open(files);
    return files;
  };

  /**
   * Answers with the shell in the language of the person. `vary` names the headers by which the address answers something else.
   */
  const shell = async (
    request: FastifyRequest,
    reply: FastifyReply,
    more: { 'referrer-policy'?: string; vary?: string } = {},
  ) => {
    const web = await opened();
    const language = languageFor(request.headers, web?.languages ?? []);
    const name = shellFor(request);
    const file = web?.file(`${language.tag}/${name}`);
    if (!file) throw new ApiError('NOT_FOUND', 'the web client is not built: run "npm run web"');
    if (language.isChosen) reply.header('set-cookie', renewed(language.tag));
    const headers = web && name === SIGNED_IN ? shellHeadersWith(web.inline) : shellHeaders;
    return answer(request, reply.headers({ vary: SHELL_VARIES, ...headers, ...more }), file, 'no-cache');
  };

  app.get('/', async (request, reply) => {
    if (!wantsPage(request)) {
      reply.header('vary', 'accept, accept-encoding');
      return { ok: true, data: about };
    }
    // A checkout whose client was not built, or could not be.
    if (!(await opened())) return reply.redirect('/docs/start', 302);
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
    const web = await opened();
    const file = web?.file(`${languageFor(request.headers, web.languages).tag}/index.html`);
    if (!file) return false;
    reply.code(404).headers({ ...shellHeaders, vary: 'accept, accept-language, cookie' });
    reply.send(await file.bytes(undefined));
    return true;
  };
}

/**
 * The file with the shell. For who has a session it has links to their part of the client, so that it need not be asked for step by step. For
 * who has none it says so, which spares a question that would be refused. Browsers keep the cookie back when another site leads here: then
 * it says neither.
 */
function shellFor(request: FastifyRequest): string {
  if (request.server.site.hasToken(request)) return SIGNED_IN;
  const { 'sec-fetch-site': fetchSite } = request.headers;
  return fetchSite === 'none' || fetchSite === 'same-origin' ? 'signedOut.html' : 'index.html';
}

/** Answers with the bytes of a file, in a coding that the client takes, or says that the client has it. */
async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  file: WebFile,
  cacheControl: string,
): Promise<string | Uint8Array | FastifyReply> {
  const wanted = acceptedBy(request).encoding;
  const encoding = wanted && file.has(wanted) ? wanted : undefined;
  const tag = `"${file.digest}${encoding ? `-${encoding}` : ''}"`;
  reply.headers({ etag: tag, 'cache-control': cacheControl });
  if (!reply.hasHeader('vary')) reply.header('vary', 'accept-encoding');
  if (has(request, tag)) return notModified(reply);
  if (encoding) reply.header('content-encoding', encoding);
  return sendBytes(reply, await file.bytes(encoding));
}
