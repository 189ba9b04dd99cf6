import type { FastifyInstance, FastifyRequest } from 'fastify';
import { present } from '../../access/authenticator.ts';
import { invalid } from '../../errors.ts';
import { perform } from '../../operations/perform.ts';
import type { Services } from '../../operations/services.ts';
import { inspect } from '../../operations/text.ts';
import type { WriteOperation } from '../../operations/write.ts';
import { admit, hookOf } from '../admit.ts';
import { parseJson } from '../body.ts';
import type { Observe } from '../operation/metrics.ts';
import { keyOf } from '../request.ts';
import { requireConvertible, textOf } from './slack.ts';

export const HOOK_PREFIX = '/hooks/';

/** The limit of a message's content. */
const MAX_CONTENT_CHARACTERS = 8000;

/**
 * Incoming webhooks. POST /hooks/:token accepts the bodies of Slack's incoming webhooks and answers as Slack does, so
 * that programs made for Slack work unchanged. The token determines the user and the channel; the message is sent by
 * the operation `messageSend`.
 */
export function mountHooks(
  app: FastifyInstance,
  messageSend: WriteOperation,
  services: Services,
  observe: Observe,
): void {
  const route = `${HOOK_PREFIX}:token`;
  // A Fastify scope of its own, with its own parser of bodies.
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
      onRequest: hookOf((request, reply) =>
        admit(services, messageSend.kind, request, reply, ({ params }) =>
          present('hookToken', (params as { token: string }).token),
        ),
      ),
      onResponse: observe('POST', route),
      async handler(request, reply) {
        const { caller } = request;
        if (caller?.credential.kind !== 'hookToken') throw new Error('only tokens of webhooks are admitted');
        const body = { channelId: caller.credential.channelId, content: contentOf(request.body) };
        const answer = await perform(services, messageSend, caller, { body }, { key: keyOf(request) });
        if (answer.isReplayed) reply.header('idempotency-replayed', 'true');
        reply.header('content-type', 'text/plain; charset=utf-8');
        return 'ok';
      },
    });
  });
}

/**
 * The payload in a body: JSON of any media type, a form with JSON in the field `payload`, or a form's own fields.
 * Throws INVALID_REQUEST.
 */
function payloadOf({ headers }: FastifyRequest, bytes: Buffer): unknown {
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(headers['content-type'] ?? '');
  // By default, curl sends JSON with the media type of a form.
  if (!isForm || bytes.toString('latin1', 0, 64).trimStart().startsWith('{')) return parseJson(bytes);
  const form = new URLSearchParams(bytes.toString('utf8'));
  const payload = form.get('payload');
  return payload === null ? Object.fromEntries(form) : parseJson(Buffer.from(payload));
}

/** The content of the message, cut if it is too long. Throws INVALID_REQUEST if the payload has no text, or too much. */
function contentOf(payload: unknown): string {
  inspect(payload, '');
  requireConvertible(payload);
  const text = textOf(payload);
  if (!/\S/.test(text))
    throw invalid('text', 'is required: there is nothing to show in blocks or attachments either');
  if (text.length <= MAX_CONTENT_CHARACTERS) return text;
  const characters = [...text];
  if (characters.length <= MAX_CONTENT_CHARACTERS) return text;
  return `${characters.slice(0, MAX_CONTENT_CHARACTERS - 1).join('')}…`;
}
