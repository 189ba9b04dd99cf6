import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify';
import { type Caller, present } from '../../access/authenticator.ts';
import { ContentTooLarge } from '../../errors.ts';
import { late } from '../../lib/late.ts';
import type { Kind } from '../../limits/table.ts';
import { perform } from '../../operations/perform.ts';
import type { Services } from '../../operations/services.ts';
import type { WriteOperation } from '../../operations/write.ts';
import { admit, hookOf } from '../admit.ts';
import { requireUncoded } from '../body.ts';
import type { Observe } from '../observe/metrics.ts';
import { keyOf } from '../request.ts';
import { HOOK_PREFIX, suffixes } from './suffixes.ts';

/** Parsers and converters, loaded on the first request. */
const loadReaders = late(async () => ({
  ...(await import('./bodies.ts')),
  ...(await import('./commonmark.ts')),
  ...(await import('./discordAnswers.ts')),
  ...(await import('./formats.ts')),
}));

/** Maximum size of a body, in bytes. Other programs put large groups of alerts or commits into one body. */
const MAX_HOOK_BYTES = 1024 * 1024;
const TOO_LARGE =
  'the body is larger than 1 MiB. Send less at once, for example with max_alerts in Alertmanager';

/** Maximum characters of a message. */
const MAX_CONTENT_CHARACTERS = 8000;

/**
 * Incoming webhooks. POST /hooks/:token accepts what programs send to Slack, Discord and others
 * (`formats.ts`), and responds like Slack, so those programs work unchanged. The token determines the user
 * and the channel. The operation `messageSend` sends the message. The URL may end with a format's name, as
 * Discord's URLs do; `/discord` responds like Discord, with the message for `?wait=true`.
 */
export function mountHooks(
  app: FastifyInstance,
  messageSend: WriteOperation,
  services: Services,
  observe: Observe,
): void {
  // A separate Fastify scope with its own body parser.
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    const options = { parseAs: 'buffer', bodyLimit: MAX_HOOK_BYTES } as const;
    scope.addContentTypeParser('*', options, async (request: FastifyRequest, bytes: Buffer) => {
      requireUncoded(request, bytes);
      const { payloadOf } = await loadReaders();
      return payloadOf(request.headers['content-type'] ?? '', bytes);
    });
    // The error handler of the whole server answers what this one throws.
    scope.setErrorHandler((error: FastifyError) => {
      throw error.code === 'FST_ERR_CTP_BODY_TOO_LARGE' ? new ContentTooLarge(TOO_LARGE) : error;
    });
    for (const suffix of [undefined, ...suffixes]) {
      const route = `${HOOK_PREFIX}:token${suffix ? `/${suffix}` : ''}`;
      const authenticate = (kind: Kind) =>
        hookOf((request, reply) =>
          admit(services, kind, request, reply, ({ authenticator }, { params }) =>
            authenticator.authenticate(present('hookToken', (params as { token: string }).token)),
          ),
        );
      // Clients of Discord and Slack check a URL with GET or HEAD before they post.
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
        onRequest: authenticate(messageSend.kind),
        onResponse: observe('POST', route),
        async handler(request, reply) {
          const { caller, headers } = request;
          if (caller?.credential.kind !== 'hookToken') throw new Error('only webhook tokens are accepted');
          const { contentOf, cut, discordMessage, requireShallow } = await loadReaders();
          requireShallow(request.body);
          const content = cut(contentOf(request.body, headers, suffix), MAX_CONTENT_CHARACTERS);
          const body = { channelId: caller.credential.channelId, content };
          const answer = await perform(services, messageSend, caller, { body }, { key: keyOf(request) });
          if (answer.isReplayed) reply.header('idempotency-replayed', 'true');
          if (suffix === 'discord' && request.query.wait === 'true') {
            // A replayed answer is the stored text.
            const { data = JSON.parse(String(answer.text)).data } = answer;
            const message = await discordMessage(services.db.read, caller, data as never);
            return reply
              .header('content-type', 'application/json; charset=utf-8')
              .send(JSON.stringify(message));
          }
          if (suffix === 'discord') return reply.code(204).send();
          reply.header('content-type', 'text/plain; charset=utf-8');
          return 'ok';
        },
      });
    }
  });
}
