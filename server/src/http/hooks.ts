import type { FastifyInstance, FastifyRequest } from 'fastify';
import { invalid } from '../errors.ts';
import { admit } from './admit.ts';
import { inspectText, parseJson } from './body.ts';
import type { Endpoint } from './endpoint.ts';
import type { Observe } from './metrics.ts';
import { writeHandler } from './pipeline.ts';
import { routeSchema } from './schemas.ts';
import type { Services } from './services.ts';
import { textOf } from './slack.ts';

export const HOOK_PREFIX = '/hooks/';

/** Characters of a message. */
const MAX_CONTENT = 8000;

/**
 * Incoming webhooks: POST /hooks/:token takes what Slack's do and answers as they do, so that what posts there posts here
 * unchanged. The token says who posts where; all the rest is `messageSend`, the endpoint that sends messages.
 */
export function mountHooks(
  app: FastifyInstance,
  messageSend: Endpoint,
  services: Services,
  observe: Observe,
): void {
  const send = writeHandler(messageSend.write, services);
  const route = `${HOOK_PREFIX}:token`;
  // In a scope of its own, where bodies are read in another way.
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (request, bytes, done) => {
      try {
        done(null, payloadOf(request, bytes as Buffer));
      } catch (error) {
        done(error as Error);
      }
    });
    scope.route<{ Params: { token: string } }>({
      method: 'POST',
      url: route,
      schema: { response: routeSchema(messageSend).response },
      onRequest: (request, reply) =>
        admit(services, 'message', request, reply, () =>
          services.authenticator.authenticateHook((request.params as { token: string }).token),
        ),
      onResponse: observe('POST', route),
      async handler(request, reply) {
        const content = contentOf(request.body);
        request.body = { channelId: request.principal.hookChannelId, content };
        await send(request, reply);
        reply.header('content-type', 'text/plain; charset=utf-8');
        return 'ok';
      },
    });
  });
}

/** JSON whatever it is called, or a form with it as `payload`, or with fields of their own. Throws INVALID_REQUEST. */
function payloadOf({ headers }: FastifyRequest, bytes: Buffer): unknown {
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(headers['content-type'] ?? '');
  // curl sends JSON under that name unless it is told otherwise.
  if (!isForm || bytes.toString('latin1', 0, 64).trimStart().startsWith('{')) return parseJson(bytes);
  const form = new URLSearchParams(bytes.toString('utf8'));
  const payload = form.get('payload');
  if (payload !== null) return parseJson(Buffer.from(payload));
  for (const [name, value] of form) inspectText(value, name);
  return Object.fromEntries(form);
}

/** The content of the message; what is too long is cut. Throws INVALID_REQUEST where there is nothing to show. */
function contentOf(payload: unknown): string {
  const text = textOf(payload);
  if (!/\S/.test(text))
    throw invalid('text', 'is required: there is nothing to show in blocks or attachments either');
  if (text.length <= MAX_CONTENT) return text;
  const characters = [...text];
  return characters.length <= MAX_CONTENT ? text : `${characters.slice(0, MAX_CONTENT - 1).join('')}…`;
}
