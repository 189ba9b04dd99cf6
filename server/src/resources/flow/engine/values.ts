import type { Caller } from '../../../access/authenticator.ts';
import type { RowOf } from '../../../db/schema.ts';
import { find } from '../../../db/statements.ts';
import { cursorBefore } from '../../../feed/positions.ts';
import { asWhole } from '../../../feed/whole.ts';
import type { Step } from '../../../flows/steps.ts';
import { type Filled, isGiven, type StepType } from '../../../flows/steps.ts';
import { render, renderJson, type Values, valueFrom } from '../../../flows/template.ts';
import type { Services } from '../../../operations/services.ts';
import { interactionEvents, toShownInteraction } from '../../interaction/interactionRecord.ts';
import { INTERACTION } from '../start.ts';

/** The event with this id as JSON, if the caller may see it now; otherwise undefined. */
export async function eventOf(
  { db, feed }: Services,
  caller: Caller,
  { serverId, eventId }: { serverId: string; eventId: string },
): Promise<object | undefined> {
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
 * What a run reads as `event` if a person used its flow's command or button: the interaction, as in `interaction.created`.
 * Undefined if it is no longer kept.
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

/** The name by which other steps read the output of a step. */
export const nameOf = (step: Step, position: string): string => step.name ?? `step ${position}`;

/** The outputs of executed steps, for `{{steps.NAME.output}}`. */
export const outputsOf = (steps: readonly RowOf<'flowStep'>[]): Record<string, { output: unknown }> =>
  Object.fromEntries(steps.map(({ name, output }) => [name, { output }]));

/** The fields of a step, with its templates filled in. Conditions and steps are left out. */
export function fill(step: Step, { fields }: StepType, values: Values): Filled {
  const filled: Record<string, unknown> = {};
  for (const [name, { kind }] of Object.entries(fields)) {
    const given = step[name];
    if (!isGiven(given) || kind === 'condition' || kind === 'steps') continue;
    const isText = kind === 'id' || kind === 'text' || kind === 'url';
    if (isText) filled[name] = render(String(given), values);
    else if (typeof given === 'string') filled[name] = valueFrom(given, values);
    else filled[name] = renderJson(given, values);
  }
  return filled;
}
