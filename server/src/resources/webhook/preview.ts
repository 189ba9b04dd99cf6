import { find } from '../../db/statements.ts';
import { ApiError, invalid } from '../../errors.ts';
import { body, flag, nullable, optional, record, reference, text } from '../../operations/fields.ts';
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
      'For `in`: converts JSON bodies to messages. CommonMark, in which `{{alerts[0].host}}` is the value at this path, as text, and empty if the body does not have it. Null to detect the format',
    examples: ['**{{service}}** is {{state}}'],
  }),
);

const MAX_CONTENT = 8_000;
/** Longer than the JSON of any stored body. */
const MAX_BODY = 200_000;

const preview = record('WebhookPreview', {
  body: text({
    max: MAX_BODY,
    description: 'The last body that the webhook received, as JSON',
    examples: ['{"service":"db","state":"down"}'],
  }),
  isWhole: flag('False if only the start of the body was kept', true),
  content: nullable(
    text({ max: MAX_CONTENT, description: 'The message; null without a template, or if it would be empty' }),
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
    'Converts the last body that the webhook received, which is kept for 7 days, whether it was posted or rejected. `updatedAt` is when it arrived. Changes nothing, and sends no message.',
  body: body({ id: optional(reference()), template: optional(template) }),
  examples: { Example: { template: '**{{service}}** is {{state}}' } },
  answer: preview,
  confidential: true,
  check: ({ body }) => requireTemplate(body.template),
  async target({ db }, { params }) {
    const target = await webhookTarget(db, params.id);
    if (target.webhook.direction === 'out')
      throw invalid('wrong_kind', 'id', 'is a webhook that sends events, so it has no template');
    const last = await db.first(find('webhookBody', { id: params.id }));
    if (!last) throw new ApiError('NOT_FOUND', 'the webhook has received no body in the last 7 days');
    return { ...target, last };
  },
  async run(call, { body: { template } }, { webhook, last }) {
    await requireRoleOf(call, webhook);
    const { id, createdAt, updatedAt, sealed } = last;
    const kept = JSON.parse(call.services.seal.open(sealed, { table: 'webhookBody', column: 'sealed', id }));
    const chosen = template === undefined ? webhook.template : template;
    const content = chosen === null ? '' : cut(rendered(templateOf(chosen), kept.body).trim(), MAX_CONTENT);
    const shown = /[^\s\u200B]/.test(content) ? content : null;
    return {
      id,
      createdAt,
      updatedAt,
      body: JSON.stringify(kept.body),
      isWhole: kept.isWhole,
      content: shown,
    };
  },
});
