import { find, insert, q, remove, update } from '../../db/statements.ts';
import { invalid } from '../../errors.ts';
import { eventsOf } from '../../feed/eventKind.ts';
import { nameKey } from '../../lib/names.ts';
import type { Existing } from '../../operations/existing.ts';
import { body, id, optional, record, reference, text } from '../../operations/fields.ts';
import { read } from '../../operations/read.ts';
import type { Work } from '../../operations/work.ts';
import { write } from '../../operations/write.ts';
import { aheadInServer, alters, load, recordOf, serverIdOf, serverTarget, touched } from '../common.ts';
import { listById } from '../lists.ts';
import { commandName, labelOf, options, storedOptions } from './options.ts';

export const MAX_DESCRIPTION = 100;

const name = text({
  min: 1,
  max: 32,
  description:
    'The text after the slash. Letters of any script, digits, `_` and `-`, in lowercase. Unique in its server',
  examples: ['deploy'],
});
const description = text({ max: MAX_DESCRIPTION, examples: ['Deploys a service'] });

const command = record('Command', {
  serverId: id(),
  agentId: id('The agent that answers'),
  name,
  description,
  options,
});
export const toCommand = recordOf(command);

export const commandEvents = eventsOf(
  'command',
  { data: command, audience: 'member' },
  {
    created: 'A command was created',
    updated: 'A command was changed',
    deleted: 'A command was deleted, or its agent was removed',
  },
);

/** Deletes the commands of a removed agent. */
export async function removeCommands(
  { db, emit }: Work,
  { serverId, userId: agentId }: { serverId: string; userId: string },
): Promise<void> {
  for (const found of await db.all(find('command', { serverId, agentId }))) {
    await db.run(remove('command', { id: found.id }));
    await emit(commandEvents.deleted, toCommand(found));
  }
}

const taken = (serverId: string, given: string | undefined) =>
  given === undefined
    ? undefined
    : q
        .selectFrom('command')
        .select('id')
        .where('serverId', '=', serverId)
        .where('nameKey', '=', nameKey(commandName(given, 'name')));

/** Throws INVALID_REQUEST for the command of a flow. */
function requireOwn({ flowId }: { flowId: string | null }): void {
  if (flowId !== null)
    throw invalid('wrong_kind', 'id', 'belongs to a flow. Change or delete the flow instead');
}

export const commandOperations = [
  read({
    operation: 'commandByServer',
    path: '/servers/:serverId/commands',
    tag: 'command',
    summary: "List a server's commands",
    description: 'Returns the oldest commands first.',
    visible: 'member',
    answer: command,
    list: 'many',
    target: serverTarget,
    ahead: aheadInServer,
    run: ({ db }, input) =>
      listById(
        db,
        q.selectFrom('command').selectAll().where('serverId', '=', input.params.serverId),
        input,
        toCommand,
      ),
  }),

  write({
    operation: 'commandInsert',
    path: '/commands',
    resource: 'command',
    verb: 'insert',
    summary: 'Create a command',
    description:
      "An agent creates its own commands. Members with canEditApp can create a command for an agent of the server, with the agent's id in `agentId`.",
    body: body({
      serverId: optional(reference()),
      agentId: optional(reference('The agent of the command. Required, unless you are the agent')),
      name,
      description: optional(description),
      options: optional(options),
    }),
    answer: command,
    check({ body }) {
      commandName(body.name, 'name');
      labelOf(body.description ?? '', 'description', MAX_DESCRIPTION);
      storedOptions(body.options ?? []);
    },
    async existing(call, { body }): Promise<Existing | undefined> {
      const serverId = await serverIdOf(call, body.serverId);
      const rows = taken(serverId, body.name);
      const found = rows && (await call.db.first(rows));
      return found && { id: found.id, serverId, visible: 'member' };
    },
    async target(call, { body: { serverId, agentId } }) {
      const { db, principal } = call;
      const agent = agentId === undefined ? undefined : await load(db, 'user', agentId);
      if (!agent && principal.userType !== 'agent')
        throw invalid('missing', 'agentId', 'is required, unless an agent creates its own command');
      return { serverId: await serverIdOf(call, serverId), ownerId: agent?.id ?? principal.userId, agent };
    },
    async run({ db, emit, newRow }, { body }, { serverId, ownerId: agentId, agent }) {
      const member = await db.first(find('serverMember', { serverId, userId: agentId }));
      if (agent && (agent.type !== 'agent' || !member))
        throw invalid('wrong_kind', 'agentId', 'is not an agent of this server');
      const stored = commandName(body.name, 'name');
      const row = {
        ...newRow(),
        serverId,
        agentId,
        name: stored,
        nameKey: nameKey(stored),
        description: labelOf(body.description ?? '', 'description', MAX_DESCRIPTION),
        options: storedOptions(body.options ?? []),
        flowId: null,
      };
      await db.run(insert('command', row));
      await emit(commandEvents.created, toCommand(row));
      return toCommand(row);
    },
  }),

  write({
    operation: 'commandUpdate',
    path: '/commands/:id',
    resource: 'command',
    verb: 'update',
    summary: 'Change a command',
    body: body({ name: optional(name), description: optional(description), options: optional(options) }),
    answer: command,
    check({ body }) {
      if (body.name !== undefined) commandName(body.name, 'name');
      labelOf(body.description ?? '', 'description', MAX_DESCRIPTION);
      storedOptions(body.options ?? []);
    },
    async existing({ db }, { params, body }): Promise<Existing | undefined> {
      const { serverId } = await load(db, 'command', params.id);
      const rows = taken(serverId, body.name);
      const found = rows && (await db.first(rows));
      return found && { id: found.id, serverId, visible: 'member' };
    },
    async target({ db }, { params }) {
      const found = await load(db, 'command', params.id);
      return { serverId: found.serverId, ownerId: found.agentId, found };
    },
    async run({ db, emit, now }, { body }, { found }) {
      requireOwn(found);
      const changes = {
        ...(body.name !== undefined && { name: commandName(body.name, 'name') }),
        ...(body.description !== undefined && {
          description: labelOf(body.description, 'description', MAX_DESCRIPTION),
        }),
        ...(body.options !== undefined && { options: storedOptions(body.options) }),
      };
      if (!alters(found, changes)) return toCommand(found);
      const renamed = changes.name === undefined ? {} : { nameKey: nameKey(changes.name) };
      const set = { ...changes, ...renamed, updatedAt: touched(found, now) };
      await db.run(update('command', found.id, set));
      await emit(commandEvents.updated, toCommand({ ...found, ...set }));
      return toCommand({ ...found, ...set });
    },
  }),

  write({
    operation: 'commandDelete',
    path: '/commands/:id',
    resource: 'command',
    verb: 'delete',
    summary: 'Delete a command',
    description: 'The agent can still answer people who used the command.',
    answer: command,
    async target({ db }, { params }) {
      const found = await load(db, 'command', params.id);
      return { serverId: found.serverId, ownerId: found.agentId, found };
    },
    async run({ db, emit }, _input, { found }) {
      requireOwn(found);
      await db.run(remove('command', { id: found.id }));
      await emit(commandEvents.deleted, toCommand(found));
      return toCommand(found);
    },
  }),
];
