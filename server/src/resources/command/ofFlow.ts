import type { Tx } from '../../db/contract.ts';
import type { RowOf } from '../../db/schema.ts';
import { find, insert, remove, update } from '../../db/statements.ts';
import { invalid } from '../../errors.ts';
import { nameKey } from '../../lib/names.ts';
import { Type } from '../../lib/schema.ts';
import { optional } from '../../operations/fields.ts';
import { validInput } from '../../operations/validation.ts';
import type { Work } from '../../operations/work.ts';
import { alters, touched } from '../common.ts';
import { commandEvents, MAX_DESCRIPTION, toCommand } from './index.ts';
import { commandName, labelOf, options, storedOptions } from './options.ts';

type Row = RowOf<'command'>;

/** The fields of a command as they are stored. */
type Facts = Pick<Row, 'name' | 'nameKey' | 'description' | 'options'>;

const body = Type.Object(
  { trigger: Type.Object({ options: optional(options) }, { additionalProperties: true }) },
  { additionalProperties: true },
);

/** Returns the command that a trigger declares. Throws INVALID_REQUEST. */
export function commandFrom(trigger: {
  command: string;
  description?: string;
  options?: readonly object[];
}): Facts {
  validInput({ body } as never, { body: { trigger } });
  const name = commandName(trigger.command, 'trigger.command');
  return {
    name,
    nameKey: nameKey(name),
    description: labelOf(trigger.description ?? '', 'trigger.description', MAX_DESCRIPTION),
    options: storedOptions((trigger.options ?? []) as never),
  };
}

/** Finds the command that starts a flow. */
export const commandOfFlow = (db: Tx, { id: flowId, userId }: { id: string; userId: string | null }) =>
  userId === null ? Promise.resolve(undefined) : db.first(find('command', { agentId: userId, flowId }));

/** Adds or changes the command of a flow. Throws INVALID_REQUEST if another command has its name. */
export async function putCommand(
  work: Work,
  { id: flowId, serverId, userId: agentId }: { id: string; serverId: string; userId: string },
  facts: Facts,
): Promise<void> {
  const { db, emit, newRow, now } = work;
  const taken = await db.first(find('command', { serverId, nameKey: facts.nameKey }));
  if (taken && taken.flowId !== flowId)
    throw invalid(
      'duplicate',
      'trigger.command',
      `/${facts.name} is another command of the server. Choose another name`,
    );
  const found = await commandOfFlow(db, { id: flowId, userId: agentId });
  if (!found) {
    const row = { ...newRow(), serverId, agentId, flowId, ...facts };
    await db.run(insert('command', row));
    await emit(commandEvents.created, toCommand(row));
    return;
  }
  if (!alters(found, facts)) return;
  const set = { ...facts, updatedAt: touched(found, now) };
  await db.run(update('command', found.id, set));
  await emit(commandEvents.updated, toCommand({ ...found, ...set }));
}

/** Deletes the command of a flow, if it has one. */
export async function removeCommandOf(
  { db, emit }: Work,
  flow: { id: string; userId: string | null },
): Promise<void> {
  const found = await commandOfFlow(db, flow);
  if (!found) return;
  await db.run(remove('command', { id: found.id }));
  await emit(commandEvents.deleted, toCommand(found));
}
