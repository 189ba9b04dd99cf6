import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify';
import { type Caller, present } from '../../access/authenticator.ts';
import { ContentTooLarge } from '../../errors.ts';
import { late } from '../../lib/late.ts';
import type { Kind } from '../../limits/table.ts';
import { perform } from '../../operations/perform.ts';
import type { Services } from '../../operations/services.ts';
import type { UploadOperation } from '../../operations/upload.ts';
import type { WriteOperation } from '../../operations/write.ts';
import { FLOW_HOOK_PREFIX, HOOK_PREFIX, type Suffix, suffixes } from '../../payloads/suffixes.ts';
import { admit, hookOf } from '../admit.ts';
import { requireUncoded } from '../body.ts';
import type { Observe } from '../observe/metrics.ts';
import { keyOf } from '../request.ts';
import type { Received } from './bodies.ts';

/** The parsers and converters. They are loaded on the first request. */
const loadReaders = late(async () => ({
  ...(await import('./bodies.ts')),
  ...(await import('../../payloads/commonmark.ts')),
  ...(await import('./discordAnswers.ts')),
  ...(await import('../../payloads/formats.ts')),
  ...(await import('./lastBody.ts')),
  ...(await import('./templates.ts')),
  ...(await import('./uploads.ts')),
}));

/** Maximum size of a body, in bytes. Some services send large groups of alerts or commits in one body. */
const MAX_HOOK_BYTES = 1024 * 1024;
const TOO_LARGE =
  'the body is larger than 1 MiB. Send less at once, for example with max_alerts in Alertmanager';

/** The payload of a request without a body. */
const nothing: Received = { payload: undefined, files: [], isText: true };

/** Maximum characters of a message. */
const MAX_CONTENT_CHARACTERS = 8000;

/** A function that loads the handlers of flow hooks on the first request. */
export type LoadFlowHooks = () => Promise<{
  callerOfHook(services: Services, token: string): Promise<Caller>;
  startHooked(services: Services, caller: Caller, input: unknown, key: string | undefined): Promise<object>;
}>;

/** Maximum size of a body for a flow, in characters of JSON. */
const MAX_FLOW_INPUT = 64 * 1024;

/** The operations that a request performs. */
interface HookOperations {
  messageSend: WriteOperation;
  attachmentInsert: UploadOperation;
  attachmentDelete: WriteOperation;
}

/**
 * Mounts the incoming webhooks. POST /hooks/:token accepts the payloads that services send to Slack, Discord
 * and others (`formats.ts`), and responds like Slack, so those services work unchanged. The token determines
 * the user and the channel. The operation `messageSend` sends the message. The URL may end with the name of a
 * format. With `/discord`, the endpoint responds like Discord. `?wait=true` returns the message, unless the
 * URL ends with another format.
 */
export function mountHooks(
  app: FastifyInstance,
  operations: HookOperations,
  services: Services,
  observe: Observe,
  loadFlowHooks: LoadFlowHooks,
): void {
  // A separate Fastify scope, which has its own body parser.
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    const options = { parseAs: 'buffer', bodyLimit: MAX_HOOK_BYTES } as const;
    scope.addContentTypeParser('*', options, async (request: FastifyRequest, bytes: Buffer) => {
      requireUncoded(request, bytes);
      const { receivedOf } = await loadReaders();
      return receivedOf(request.headers, bytes);
    });
    // The server's global error handler handles errors thrown here.
    scope.setErrorHandler((error: FastifyError) => {
      throw error.code === 'FST_ERR_CTP_BODY_TOO_LARGE' ? new ContentTooLarge(TOO_LARGE) : error;
    });
    mountFlowHook(scope, services, observe, loadFlowHooks);
    for (const suffix of [undefined, ...suffixes])
      mountMessageHook(scope, suffix, operations, services, observe);
  });
}

/** Mounts the webhooks that start flows. */
function mountFlowHook(
  scope: FastifyInstance,
  services: Services,
  observe: Observe,
  loadFlowHooks: LoadFlowHooks,
): void {
  scope.route<{ Params: { token: string } }>({
    method: 'POST',
    url: `${FLOW_HOOK_PREFIX}:token`,
    onRequest: hookOf((request, reply) =>
      admit(services, 'flow', request, reply, async (_, { params }) => {
        const { token } = params as { token: string };
        return (await loadFlowHooks()).callerOfHook(services, token);
      }),
    ),
    onResponse: observe('POST', `${FLOW_HOOK_PREFIX}:token`),
    async handler(request) {
      const { payload } = (request.body as Received | undefined) ?? nothing;
      (await loadReaders()).requireSound(payload);
      if (JSON.stringify(payload ?? null).length > MAX_FLOW_INPUT)
        throw new ContentTooLarge('the body is larger than 64 KiB');
      const { startHooked } = await loadFlowHooks();
      const data = await startHooked(services, request.caller as Caller, payload, keyOf(request));
      return { ok: true, data };
    },
  });
}

/** Mounts the webhooks that send messages, for URLs that end with this suffix. */
function mountMessageHook(
  scope: FastifyInstance,
  suffix: Suffix | undefined,
  operations: HookOperations,
  services: Services,
  observe: Observe,
): void {
  const route = `${HOOK_PREFIX}:token${suffix ? `/${suffix}` : ''}`;
  const authenticate = (kind: Kind) =>
    hookOf((request, reply) =>
      admit(services, kind, request, reply, ({ authenticator }, { params }) =>
        authenticator.authenticate(present('hookToken', (params as { token: string }).token)),
      ),
    );
  // Clients for Discord and Slack check a URL with GET or HEAD before they post.
  scope.route({
    method: ['GET', 'HEAD'],
    url: route,
    onRequest: authenticate('query'),
    onResponse: observe('GET', route),
    async handler(request, reply) {
      const { discordWebhook } = await loadReaders();
      const answer = JSON.stringify(await discordWebhook(services.db.read, request.caller as Caller));
      return reply.header('content-type', 'application/json; charset=utf-8').send(answer);
    },
  });
  scope.route<{ Params: { token: string }; Querystring: { wait?: string } }>({
    method: 'POST',
    url: route,
    onRequest: authenticate(operations.messageSend.kind),
    onResponse: observe('POST', route),
    async handler(request, reply) {
      const { caller, query } = request;
      const { discordMessage } = await loadReaders();
      const { answer, files } = await post(operations, services, request, suffix);
      if (answer.isReplayed) reply.header('idempotency-replayed', 'true');
      // Only clients for Discord ask for the message.
      if ((suffix === 'discord' || suffix === undefined) && query.wait === 'true') {
        // A replayed response is the stored text.
        const { data = JSON.parse(String(answer.text)).data } = answer;
        const origin = request.server.site.originOf(request);
        const message = await discordMessage(services.db.read, caller as Caller, data, { files, origin });
        return reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(message));
      }
      if (suffix === 'discord') return reply.code(204).send();
      reply.header('content-type', 'text/plain; charset=utf-8');
      return 'ok';
    },
  });
}

/**
 * Sends the message of a request, with its files. Throws INVALID_REQUEST, and the errors of the upload and of
 * the send.
 */
async function post(
  operations: HookOperations,
  services: Services,
  request: FastifyRequest,
  suffix: Suffix | undefined,
) {
  const { caller } = request;
  if (caller?.credential.kind !== 'hookToken') throw new Error('only webhook tokens are accepted');
  const { requireSound, keepBody, templated } = await loadReaders();
  const received = (request.body as Received | undefined) ?? nothing;
  const { payload, isText } = received;
  requireSound(payload);
  const { id, channelId, hasTemplate } = caller.credential;
  // Bodies in unknown formats are also stored, because templates are meant for such bodies.
  const kept = isText || keepBody(services, { id, serverId: caller.principal.serverId as string }, payload);
  try {
    const isTemplated = hasTemplate && !isText && suffix === undefined;
    const text = isTemplated ? await templated(services.db.read, id, payload) : '';
    return await send(operations, services, { request, caller, channelId, received, suffix, text });
  } finally {
    await kept;
  }
}

interface Sending {
  request: FastifyRequest;
  caller: Caller;
  channelId: string;
  received: Received;
  suffix: Suffix | undefined;
  /** The content rendered with the webhook's template; empty if there is none. */
  text: string;
}

async function send(
  { messageSend, attachmentInsert, attachmentDelete }: HookOperations,
  services: Services,
  { request, caller, channelId, received, suffix, text }: Sending,
) {
  const { contentOf, cut, uploadFiles, discardFiles } = await loadReaders();
  const converted = text || contentOf(received.payload, request.headers, suffix, received.files.length > 0);
  const content = cut(converted, MAX_CONTENT_CHARACTERS);
  const key = keyOf(request);
  const files = await uploadFiles(services, attachmentInsert, request, received.files, key);
  const attached = files.length > 0 && { attachmentIds: files.map(({ id }) => id) };
  try {
    const body = { channelId, content, ...attached };
    return { files, answer: await perform(services, messageSend, caller, { body }, { key }) };
  } catch (error) {
    // With an idempotency key, a repeated request reuses the files.
    if (key === undefined) await discardFiles(services, attachmentDelete, caller, files);
    throw error;
  }
}
