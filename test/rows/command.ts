import { anInsert, one, toOne } from '../support/randomWrites.ts';
import type { Body } from '../support/ready.ts';
import type { Fields } from '../support/records.ts';
import type { Rule } from '../support/rules.ts';
import type { Scene } from '../support/scene.ts';
import { allIn } from '../support/shown.ts';
import type { Json } from '../support/world.ts';
import type { Noun } from './row.ts';

const command: Fields = {
  serverId: 'id',
  agentId: 'id',
  name: 'text',
  description: 'text',
  options: 'list',
};

/** An agent may also create its own commands, which `spec/commands` tests. */
const rule: Rule = { flags: ['canEditApp'] };

/** A new command for a new agent, created by the admin. */
async function bodyOf({ world, server }: Scene): Promise<Body> {
  const agent = await world.user({ agent: true });
  await world.member(server, agent);
  return { name: world.unique('command'), agentId: agent.id };
}

const make = async (scene: Scene): Promise<Json> => scene.make('/commands', await bodyOf(scene));

export const commands: Noun = {
  name: 'command',
  group: 'Commands',
  limit: 60,
  events: ['created', 'updated', 'deleted'],
  make,
  all: allIn('commands'),

  reads: [
    {
      name: 'commandByServer',
      path: '/servers/:serverId/commands',
      answer: command,
      sight: 'server',
      ready: async (scene) => ({ id: (await make(scene)).serverId }),
      listings: [
        {
          order: 'oldest',
          open: async (scene) => ({
            path: `/servers/${scene.server.id}/commands`,
            add: async () => (await make(scene)).id,
            take: (id) => scene.remove(`/commands/${id}`),
          }),
        },
      ],
    },
  ],

  writes: [
    {
      name: 'commandInsert',
      method: 'POST',
      path: '/commands',
      answer: command,
      rule,
      once: true,
      ready: async (scene) => ({ body: await bodyOf(scene) }),
      sample: () => ({ description: 'Deploys a service' }),
      fields: {
        name: 'command!',
        agentId: 'reference',
        serverId: 'reference',
        description: 'short',
        options: 'options',
      },
      events: [
        {
          what: 'a command',
          write: async ({ home }) => ({
            body: await bodyOf(home),
            home: (made) => [['command.created', made]],
          }),
        },
      ],
      random: [
        anInsert(2, (place, choice) => {
          const member = one(place, choice, 'serverMember', ({ user }) => user.type === 'agent');
          return member && { name: place.unique('command'), agentId: member.userId };
        }),
      ],
    },
    {
      name: 'commandUpdate',
      method: 'PATCH',
      path: '/commands/:id',
      answer: command,
      rule,
      ready: async (scene) => ({ id: (await make(scene)).id }),
      sample: () => ({ description: 'Deploys a service' }),
      fields: { name: 'command', description: 'short', options: 'options' },
      events: [
        {
          what: 'a command',
          write: async ({ home }) => ({
            id: (await make(home)).id,
            body: { options: [], description: 'Deploys a service' },
            home: (made) => [['command.updated', made]],
          }),
        },
      ],
      random: [toOne(1, 'command', ({ unique }) => ({ name: unique('command') }))],
    },
    {
      name: 'commandDelete',
      method: 'DELETE',
      path: '/commands/:id',
      answer: command,
      rule,
      ready: async (scene) => ({ id: (await make(scene)).id }),
      events: [
        {
          what: 'a command',
          write: async ({ home }) => ({
            id: (await make(home)).id,
            home: (gone) => [['command.deleted', gone]],
          }),
        },
      ],
      random: [toOne(1, 'command')],
    },
  ],
};
