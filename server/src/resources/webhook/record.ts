import Type from 'typebox';
import { eventsOf } from '../../feed/eventKind.ts';
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

export const direction = oneOf(['out', 'in'], '`out` sends events, `in` takes messages');

/** More names of types than there are types. */
const MAX_TYPES = 100;

/** Types of events as a webhook names them: one, or all of a noun as `message.*`. */
export const types = nullable(
  Type.Array(text({ min: 1, max: 100 }), {
    minItems: 1,
    maxItems: MAX_TYPES,
    description: 'Of `out`: the types of events that are sent, `message.*` for all of a thing; null for all',
  }),
  ['message.*', 'channel.created'],
);

const fields = {
  serverId: id(),
  direction,
  name: name(undefined, 'Build reports'),
  url: nullable(
    text({ max: 2048, description: 'Of `out`: where events are sent', examples: ['https://example.com/in'] }),
  ),
  types,
  channelId: nullable(id('Of `out`: whose events alone are sent. Of `in`: where messages are posted')),
  enabled: flag(undefined, true),
  disabledReason: nullable(
    oneOf(
      ['failing', 'gone'],
      'Why it was disabled by the server: no attempt succeeded, or the answer was 410',
    ),
  ),
  roleId: id('The role of the key that made it: the webhook sees and does what that may'),
  userId: nullable(id('Of `in`: the agent that its messages are from')),
  creatorId: id(),
};

export const webhook = record('Webhook', fields);
export const toWebhook = recordOf(webhook);

export const webhookEvents = eventsOf(
  'webhook',
  { data: webhook, audience: 'apps' },
  {
    created: 'A webhook was made',
    updated: 'A webhook was changed, or disabled because its receiver failed or is gone',
    deleted: 'A webhook was removed',
  },
);

/** The answer to an insert or a rotation, the only place where a secret or a token is ever shown. */
export const newWebhook = record('NewWebhook', {
  ...fields,
  secret: optional(
    text({
      max: 100,
      description: 'Of `out`: verifies what is sent. Keep it: it is never shown again',
      examples: ['whsec_…'],
    }),
  ),
  token: optional(
    text({
      max: 100,
      description: 'Of `in`: lets whoever knows it post. Keep it: it is never shown again',
      examples: ['hook_plv_…'],
    }),
  ),
  path: optional(
    text({
      max: 200,
      description: 'Of `in`: where to post, on this server',
      examples: ['/hooks/hook_plv_…'],
    }),
  ),
});

export const delivery = record('WebhookDelivery', {
  webhookId: id(),
  eventId: text({ max: 100, description: 'The `webhook-id` that it was sent with', examples: ['AAAB…'] }),
  type: text({ max: 100, examples: ['message.created'] }),
  attempt: count('1 for the first', 1),
  status: nullable(Type.Integer({ description: 'Of the answer; null if there was none', examples: [200] })),
  error: nullable(text({ max: 1000, description: 'Why it failed; null if it was accepted' })),
  ms: count('How long it took, in milliseconds', 42),
  nextAt: nullable(time('When it is tried again')),
});
export const toDelivery = recordOf(delivery);
