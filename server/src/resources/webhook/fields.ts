import { invalid } from '../../errors.ts';
import type { EventTable } from '../../feed/eventKind.ts';
import { type AllowedHosts, refusalOf } from '../../lib/allowedHosts.ts';
import { templateOf } from '../../payloads/template.ts';

/** Throws INVALID_REQUEST for a name that does not match any logged event type. */
export function requireTypes(events: EventTable, types: readonly string[] | null | undefined): void {
  for (const [index, type] of (types ?? []).entries()) {
    if (!events.named(type).some(({ live }) => !live))
      throw invalid(
        'unknown_value',
        `types.${index}`,
        'must be an event type, or all types of a noun, such as message.*',
      );
  }
}

/** Throws INVALID_REQUEST for a URL that has credentials, or whose host is not allowed. */
export function requireUrl(url: string | undefined, allowedHosts: AllowedHosts): void {
  if (url === undefined) return;
  const { username, password, hostname } = new URL(url);
  if (username || password)
    throw invalid(
      'refused_address',
      'url',
      'must not contain a username or password, because everyone who can see the webhook could see them',
    );
  const refusal = refusalOf(hostname, allowedHosts);
  if (refusal) throw invalid('refused_address', 'url', refusal);
}

/** Throws INVALID_REQUEST for fields that only exist for webhooks in the other direction. */
export function requireDirection(
  direction: 'in' | 'out',
  body: {
    url?: string | undefined;
    types?: readonly string[] | null | undefined;
    channelId?: string | null | undefined;
    template?: string | null | undefined;
  },
): void {
  if (direction === 'out') {
    if (body.template != null)
      throw invalid(
        'not_together',
        'template',
        'is only for webhooks that receive messages, but this one sends events',
      );
    return;
  }
  if (body.url !== undefined)
    throw invalid(
      'not_together',
      'url',
      'is only for webhooks that send events, but this one receives messages',
    );
  if (body.types != null)
    throw invalid(
      'not_together',
      'types',
      'are only for webhooks that send events, but this one receives messages',
    );
  if (body.channelId === null)
    throw invalid('missing', 'channelId', 'is required: the webhook posts messages there');
}

/** Throws INVALID_REQUEST for a template with an invalid path. */
export function requireTemplate(template: string | null | undefined): void {
  if (template != null) templateOf(template);
}
