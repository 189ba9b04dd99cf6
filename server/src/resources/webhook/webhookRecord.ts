import { eventsOf } from '../../feed/eventKind.ts';
import { Type, unstable } from '../../lib/schema.ts';
import { SAMPLE_EVENT_ID } from '../../operations/examples.ts';
import {
  count,
  flag,
  id,
  name,
  nullable,
  oneOf,
  optional,
  record,
  text,
  time,
} from '../../operations/fields.ts';
import { MAX_TEMPLATE } from '../../payloads/template.ts';
import { recordOf } from '../common.ts';

export const direction = oneOf(['out', 'in'], '`out` sends events, `in` receives messages');

/** A maximum that is larger than the number of event types. */
const MAX_TYPES = 100;

/** Event types: a single type, or all of a noun's types, such as `message.*`. */
export const types = nullable(
  Type.Array(text({ min: 1, max: 100 }), {
    minItems: 1,
    maxItems: MAX_TYPES,
    description:
      'The event types that an `out` webhook sends; `message.*` for all types of a noun; null for all types',
  }),
  ['message.*', 'channel.created'],
);

const fields = {
  serverId: id(),
  direction,
  name: name(undefined, 'Build reports'),
  url: nullable(
    text({
      max: 2048,
      description: 'The URL to which an `out` webhook sends events',
      examples: ['https://example.com/in'],
    }),
  ),
  types,
  channelId: nullable(
    id('An `out` webhook sends only events of this channel; an `in` webhook posts messages to it'),
  ),
  template: nullable(
    text({
      max: MAX_TEMPLATE,
      description:
        'The template with which an `in` webhook converts JSON bodies; null to detect their format',
      examples: ['**{{service}}** is {{state}}'],
    }),
  ),
  enabled: flag(undefined, true),
  disabledReason: nullable(
    oneOf(
      ['failing', 'gone'],
      'Why Palaver disabled it: `failing` if all attempts failed, `gone` if the receiver returned 410',
    ),
  ),
  roleId: id(
    'The role whose permissions the webhook has: that of the API key that created it, or the oldest role of the person who created it in a session',
  ),
  userId: nullable(id('The agent that sends the messages of an `in` webhook')),
  creatorId: id(),
};

export const webhook = record('Webhook', fields);
export const toWebhook = recordOf(webhook);

export const webhookEvents = eventsOf(
  'webhook',
  { data: webhook, audience: 'apps' },
  {
    created: 'A webhook was created',
    updated: 'A webhook was updated, or disabled because its receiver failed or returned 410',
    deleted: 'A webhook was deleted',
  },
);

/** The response to an insert or rotation. No other response has the secret or token. */
export const newWebhook = record('NewWebhook', {
  ...fields,
  secret: optional(
    text({
      max: 100,
      description: 'The secret to verify the signatures of an `out` webhook. Store it: it is not shown again',
      examples: ['whsec_…'],
    }),
  ),
  token: optional(
    text({
      max: 100,
      description:
        'The token of an `in` webhook: anyone who knows it can post. Store it: it is not shown again',
      examples: ['hook_plv_…'],
    }),
  ),
  path: optional(
    text({
      max: 200,
      description: "The path below the server's address to which messages are posted, for an `in` webhook",
      examples: ['/hooks/hook_plv_…'],
    }),
  ),
});

export const delivery = record('WebhookDelivery', {
  webhookId: id(),
  eventId: text({ max: 100, description: 'The `webhook-id` of the request', examples: [SAMPLE_EVENT_ID] }),
  type: text({ max: 100, examples: ['message.created'] }),
  attempt: count('1 for the first attempt; 0 before it', 1),
  status: nullable(
    Type.Integer({
      minimum: 100,
      maximum: 999,
      description: 'The response status; null if there was no response',
      examples: [200],
    }),
  ),
  error: unstable(nullable(text({ max: 1000, description: 'Why it failed; null if it was accepted' }))),
  ms: count('Duration of the attempt, in milliseconds', 42),
  nextAt: nullable(time('When the next attempt is made')),
});
export const toDelivery = recordOf(delivery);
