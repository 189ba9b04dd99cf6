import type { TSchema } from 'typebox';
import type { EventKind, EventTable } from '../../feed/eventKind.ts';
import { Type } from '../../lib/schema.ts';
import { SAMPLE_EVENT_ID, SAMPLE_TIME } from '../../operations/examples.ts';
import { id, time } from '../../operations/fields.ts';
import { refTo } from './answers.ts';
import { eventNameOf } from './events.ts';

/** The name of a ping's schema. */
const PING_EVENT = 'PingEvent';

/**
 * Whether webhooks can receive an event. They have no user, so they never receive events that only one user
 * may read.
 */
const isSent = ({ audience }: EventKind): boolean => !['owner', 'self', 'person'].includes(audience);

/** The event of a ping. It is not stored and therefore has no `seq`. Its `data` is the webhook. */
export const pingEvent: TSchema = Type.Object(
  {
    id: id('The `webhook-id` of the request'),
    type: Type.Unsafe<string>({ type: 'string', enum: ['ping'] }),
    serverId: id(),
    actorId: Type.Unsafe<null>({ type: 'null' }),
    actor: Type.Unsafe<string>({ type: 'string', enum: ['system'] }),
    at: time('When the attempt was made'),
    data: Type.Unsafe({ $ref: '#/components/schemas/Webhook' }),
  },
  { $id: PING_EVENT, title: PING_EVENT, additionalProperties: false },
);

const header = (name: string, description: string, example: string) => ({
  in: 'header',
  name,
  required: true,
  description,
  schema: { type: 'string' },
  example,
});

/** The headers of webhook requests (Standard Webhooks), as parameters by their names in the document. */
export const webhookHeaders = {
  WebhookId: header('webhook-id', 'The id of the event: the same in every attempt', SAMPLE_EVENT_ID),
  WebhookTimestamp: header(
    'webhook-timestamp',
    'The time of this attempt, in seconds since the Unix epoch',
    String(SAMPLE_TIME / 1000),
  ),
  WebhookSignature: header(
    'webhook-signature',
    "`v1,` and the signature with the webhook's secret. For 24 hours after a rotation, also a signature with each earlier secret, separated by spaces",
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
};

const TO_ALL =
  'Sent to the `url` of each webhook that subscribes to it in `types` and whose role can see it.';
const TO_ONE =
  'A test event was requested. Sent once to the `url` of the webhook, regardless of its `types`.';

/** Returns the requests that webhooks send, by event type (OpenAPI 3.1, webhooks). */
export function webhooksOf({ logged }: EventTable): Record<string, object> {
  const sent = logged.filter(isSent).map((kind): [string, object] => {
    const schema = refTo('schemas', eventNameOf(kind.noun));
    return [kind.type, describe(kind.type, `${kind.words}. ${TO_ALL}`, schema)];
  });
  const ping = describe('ping', TO_ONE, refTo('schemas', PING_EVENT));
  return { ...Object.fromEntries(sent), ping };
}

/** Returns the name of a handler, such as `onMessageCreated` for `message.created`. */
const handlerOf = (type: string): string =>
  `on${type.replace(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase())}`;

function describe(type: string, words: string, schema: object): object {
  return {
    post: {
      operationId: handlerOf(type),
      tags: ['webhook'],
      summary: `\`${type}\``,
      description: words,
      security: [],
      parameters: Object.keys(webhookHeaders).map((name) => refTo('parameters', name)),
      requestBody: { required: true, content: { 'application/json': { schema } } },
      responses: {
        '2XX': { description: 'The event counts as delivered' },
        410: { description: 'The receiver is gone: the webhook is disabled' },
        default: { description: 'The event is retried later' },
      },
    },
  };
}
