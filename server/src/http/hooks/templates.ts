import type { Reads } from '../../db/contract.ts';
import { find } from '../../db/statements.ts';
import { rendered, templateOf } from '../../payloads/template.ts';

/** A payload converted by the webhook's template; empty without one, or if there is nothing to show. */
export async function templated(db: Reads, webhookId: string, payload: unknown): Promise<string> {
  const webhook = await db.first(find('webhook', { id: webhookId }));
  if (!webhook?.template) return '';
  const content = rendered(templateOf(webhook.template), payload).trim();
  return /[^\s\u200B]/.test(content) ? content : '';
}
