import { find } from '../../db/statements.ts';
import { invalid } from '../../errors.ts';
import { body, flag, nullable, optional, record, reference, text, time } from '../../operations/fields.ts';
import { write } from '../../operations/write.ts';
import { cut } from '../../payloads/commonmark.ts';
import { MAX_TEMPLATE, rendered, templateOf } from '../../payloads/template.ts';
import { requireTemplate } from './fields.ts';
import { requireRoleOf, webhookTarget } from './load.ts';

export const template = nullable(
  text({
    min: 1,
    max: MAX_TEMPLATE,
    description:
      'The template with which an `in` webhook converts JSON bodies to messages: CommonMark in which `{{alerts[0].host}}` is replaced with the value at this path as plain text, or with nothing if the body does not have it. Null to detect the format',
    examples: ['**{{service}}** is {{state}}'],
  }),
);

const MAX_CONTENT = 8_000;
/** A maximum that is larger than the JSON of any stored body. */
const MAX_BODY = 200_000;

const preview = record('WebhookPreview', {
  body: nullable(
    text({
      max: MAX_BODY,
      description:
        'The last body that the webhook received in the last 7 days, as JSON; null if there is none',
      examples: ['{"service":"db","state":"down"}'],
    }),
  ),
  isWhole: flag('False if only the start of the body was kept', true),
  receivedAt: nullable(time('When the body arrived')),
  content: nullable(
    text({
      max: MAX_CONTENT,
      description: 'The message; null without a body or a template, or if it would be empty',
    }),
  ),
});

export const webhookPreview = write({
  operation: 'webhookPreview',
  method: 'POST',
  path: '/webhooks/:id/preview',
  resource: 'webhook',
  verb: 'update',
  summary: "Preview an incoming webhook's template",
  description:
    'Applies the template to the last body that the webhook received, whether it was posted or rejected. The body is kept for 7 days. Changes nothing and sends no message.',
  body: body({ id: optional(reference()), template: optional(template) }),
  examples: { Example: { template: '**{{service}}** is {{state}}' } },
  answer: preview,
  confidential: true,
  check: ({ body }) => requireTemplate(body.template),
  async target({ db }, { params }) {
    const target = await webhookTarget(db, params.id);
    if (target.webhook.direction === 'out')
      throw invalid('wrong_kind', 'id', 'is a webhook that sends events, so it has no template');
    return { ...target, last: await db.first(find('webhookBody', { id: params.id })) };
  },
  async run(call, { body: { template } }, { webhook, last }) {
    await requireRoleOf(call, webhook);
    const { id, createdAt, updatedAt } = webhook;
    const record = { id, createdAt, updatedAt };
    if (!last) return { ...record, body: null, isWhole: true, receivedAt: null, content: null };
    const cell = { table: 'webhookBody', column: 'sealed', id };
    const { body, isWhole } = JSON.parse(call.services.seal.open(last.sealed, cell));
    const chosen = template === undefined ? webhook.template : template;
    const content = chosen === null ? '' : cut(rendered(templateOf(chosen), body).trim(), MAX_CONTENT);
    const shown = /[^\s\u200B]/.test(content) ? content : null;
    return { ...record, body: JSON.stringify(body), isWhole, receivedAt: last.updatedAt, content: shown };
  },
});
