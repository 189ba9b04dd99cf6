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
import { recordOf } from '../common.ts';

export const direction = oneOf(['out', 'in'], '`out` sends events, `in` receives messages');

/** More than there are event types. */
const MAX_TYPES = 100;

/** Event types: a type, or all of a noun, such as `message.*`. */
export const types = nullable(
  Type.Array(text({ min: 1, max: 100 }), {
    minItems: 1,
    maxItems: MAX_TYPES,
    description:
      'Of `out`: the types of events to send; `message.*` for all types of a noun; null for all types',
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
      description: 'Of `out`: the address that gets the events',
      examples: ['https://example.com/in'],
    }),
  ),
  types,
  channelId: nullable(
    id('Of `out`: only events of this channel are sent. Of `in`: messages are posted into it'),
  ),
  enabled: flag(undefined, true),
  disabledReason: nullable(
    oneOf(
      ['failing', 'gone'],
      'The reason if Palaver disabled it: `failing`, all attempts failed; `gone`, the answer was 410',
    ),
  ),
  roleId: id('The role of the key that made it: the webhook has its permissions'),
  userId: nullable(id('Of `in`: the agent that is the author of its messages')),
  creatorId: id(),
};

export const webhook = record('Webhook', fields);
export const toWebhook = recordOf(webhook);

export const webhookEvents = eventsOf(
  'webhook',
  { data: webhook, audience: 'apps' },
  {
    created: 'A webhook was made',
    updated: 'A webhook was changed, or disabled because its receiver failed or answered 410',
    deleted: 'A webhook was removed',
  },
);

/** The response to an insert or rotation: the only one with the secret or token. */
export const newWebhook = record('NewWebhook', {
  ...fields,
  secret: optional(
    text({
      max: 100,
      description: 'Of `out`: verifies the signatures. Keep it: no other answer has it',
      examples: ['whsec_…'],
    }),
  ),
  token: optional(
    text({
      max: 100,
      description: 'Of `in`: allows anyone who knows it to post. Keep it: no other answer has it',
      examples: ['hook_plv_…'],
    }),
  ),
  path: optional(
    text({
      max: 200,
      description: 'Of `in`: the path on this server to which messages are posted',
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
      description: 'The status of the answer; null if there was none',
      examples: [200],
    }),
  ),
  error: unstable(
    nullable(text({ max: 1000, description: 'The reason of a failure; null if it was accepted' })),
  ),
  ms: count('The duration of the attempt, in milliseconds', 42),
  nextAt: nullable(time('The time of the next attempt')),
});
export const toDelivery = recordOf(delivery);
