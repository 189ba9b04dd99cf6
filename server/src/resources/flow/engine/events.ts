import type { Caller } from '../../../access/authenticator.ts';
import { visibility } from '../../../access/visibility.ts';
import type { RowOf } from '../../../db/schema.ts';
import { find } from '../../../db/statements.ts';
import { cursorBefore } from '../../../feed/positions.ts';
import { asWhole } from '../../../feed/whole.ts';
import { isId } from '../../../lib/deps.ts';
import type { Services } from '../../../operations/services.ts';
import { interactionEvents, toShownInteraction } from '../../interaction/interactionRecord.ts';
import { INTERACTION } from '../start.ts';
import type { ReadEvent } from './place.ts';

/**
 * Finds a flow that the caller may edit, before the operation authorizes the caller. Undefined if there is
 * none.
 */
export async function editableFlow(
  { db }: Services,
  by: Caller | undefined,
  flowId: string,
): Promise<RowOf<'flow'> | undefined> {
  const flow = by && isId(flowId) ? await db.read.first(find('flow', { id: flowId })) : undefined;
  return flow && by && visibility.apps.holds(by.principal, flow) ? flow : undefined;
}

/** Returns the event with this id, if the caller may see it now; otherwise undefined. */
export async function eventOf(
  { db, feed }: Services,
  caller: Caller,
  { serverId, eventId }: { serverId: string; eventId: string },
): Promise<ReadEvent | undefined> {
  const before = await cursorBefore(db.read, serverId, eventId);
  if (before === undefined) return undefined;
  const reader = await feed.reader(serverId, {}, async () => caller.principal);
  try {
    await reader.seek(before);
    const [event] = await reader.next(1);
    const whole = event?.id === eventId ? asWhole(event, undefined, feed.events) : undefined;
    return whole && JSON.parse(whole.json);
  } finally {
    reader.close();
  }
}

/**
 * Returns the `event` of a run that was started by the flow's command or button. It is the interaction, as in
 * `interaction.created`. Undefined if the interaction has expired.
 */
export async function interactionOf({ db }: Services, cause: string): Promise<object | undefined> {
  const row = await db.read.first(find('interaction', { id: cause.slice(INTERACTION.length) }));
  if (!row) return undefined;
  const { id, serverId, channelId, userId, createdAt } = row;
  const { type } = interactionEvents.created;
  return {
    id,
    type,
    serverId,
    channelId,
    actorId: userId,
    actor: 'person',
    at: createdAt,
    data: toShownInteraction(row),
  };
}
