import type { Reads } from '../../db/contract.ts';
import { find } from '../../db/statements.ts';
import { rendered, templateOf } from '../../payloads/template.ts';

/**
 * Converts a payload with the webhook's template. Returns an empty text if there is no template, or if it
 * produces no text.
 */
export async function templated(db: Reads, webhookId: string, payload: unknown): Promise<string> {
  const webhook = await db.first(find('webhook', { id: webhookId }));
  if (!webhook?.template) return '';
  const content = rendered(templateOf(webhook.template), payload).trim();
  return /[^\s\u200B]/.test(content) ? content : '';
}
