import { requireHoldsFlagsOf, requireSeesAsMuch } from '../../access/grants.ts';
import type { Reader } from '../../db/contract.ts';
import type { RowOf } from '../../db/schema.ts';
import { find } from '../../db/statements.ts';
import { invalid } from '../../errors.ts';
import type { WriteCall } from '../../operations/call.ts';
import { load } from '../common.ts';

/** Loads a webhook with its channel, if it has one, as the target of a read or write. Throws NOT_FOUND. */
export async function webhookTarget(db: Reader, webhookId: string) {
  const found = await load(db, 'webhook', webhookId);
  const { serverId, channelId } = found;
  const channel = channelId === null ? undefined : await db.first(find('channel', { id: channelId }));
  return { serverId, channel, webhook: found };
}

/**
 * Like `webhookTarget`, for an outgoing webhook. Throws NOT_FOUND, or INVALID_REQUEST for an incoming one.
 */
export async function senderTarget(db: Reader, webhookId: string) {
  const target = await webhookTarget(db, webhookId);
  if (target.webhook.direction === 'in')
    throw invalid('wrong_kind', 'id', 'is a webhook that receives messages, so it sends no events');
  return target;
}

/**
 * Throws FORBIDDEN unless the principal has all permissions of the webhook's role, because a new URL or token
 * could give them more permissions than they have (decisions, part 5), or send them events that they cannot
 * see.
 */
export async function requireRoleOf(
  { db, principal }: WriteCall,
  { roleId }: RowOf<'webhook'>,
): Promise<void> {
  if (principal.roleIds.includes(roleId)) return;
  const role = await load(db, 'role', roleId);
  requireHoldsFlagsOf(principal, 'webhook update', role);
  await requireSeesAsMuch(db, principal, 'webhook update', role);
}
