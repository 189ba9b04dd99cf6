import { invalid } from '../../errors.ts';
import type { EventTable } from '../../feed/eventKind.ts';
import { refusalOf } from '../../webhooks/guard.ts';

/** Checks of a webhook's body beyond its schema. Each function throws INVALID_REQUEST. */

export function requireTypes(events: EventTable, types: readonly string[] | null | undefined): void {
  for (const [index, type] of (types ?? []).entries()) {
    if (!events.named(type).some(({ isLive }) => !isLive))
      throw invalid(`types.${index}`, 'is no type of event, nor all of a thing as message.*');
  }
}

export function requireUrl(url: string | undefined, privateWebhooks: boolean): void {
  if (url === undefined) return;
  const { username, password, hostname } = new URL(url);
  if (username || password)
    throw invalid('url', 'must hold no user name and no password: everyone who sees the webhook sees it');
  const refusal = privateWebhooks ? undefined : refusalOf(hostname);
  if (refusal) throw invalid('url', refusal);
}

/** Fields that only webhooks of the other direction have. */
export function requireDirection(
  direction: 'in' | 'out',
  body: {
    url?: string | undefined;
    types?: readonly string[] | null | undefined;
    channelId?: string | null | undefined;
  },
): void {
  if (direction === 'out') return;
  if (body.url !== undefined) throw invalid('url', 'is for webhooks that send: this one takes messages');
  if (body.types != null) throw invalid('types', 'are for webhooks that send: this one takes messages');
  if (body.channelId === null) throw invalid('channelId', 'is needed: it is where messages are posted');
}
