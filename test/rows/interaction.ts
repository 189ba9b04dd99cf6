import { dataOf } from '../support/expect.ts';
import { anInsert, idOf, one } from '../support/randomWrites.ts';
import type { Body } from '../support/ready.ts';
import type { Fields } from '../support/records.ts';
import { channelKinds, participant } from '../support/rules.ts';
import type { Scene } from '../support/scene.ts';
import type { Json } from '../support/world.ts';
import type { Noun } from './row.ts';

const interaction: Fields = {
  serverId: 'id',
  channelId: 'id',
  threadId: 'id?',
  messageId: 'id?',
  commandId: 'id?',
  agentId: 'id',
  userId: 'id',
  blockId: 'text?',
  actionId: 'text?',
  state: 'text',
  expiresAt: 'time',
  replyId: 'id?',
};
const shownInteraction: Fields = { ...interaction, value: 'json', options: 'json', ephemeral: 'text?' };

const agentIn = async ({ world, server }: Scene) =>
  world.client(server, ['canAdmin'], await world.user({ agent: true }));

/** A click on a button that a new agent has sent. */
async function clickIn(scene: Scene): Promise<Body> {
  const agent = await agentIn(scene);
  const elements = [{ type: 'button', id: 'ok', text: 'OK', value: '1' }];
  const blocks = [{ type: 'actions', id: 'a1', elements }];
  const { id: channelId } = await scene.place();
  const message = dataOf(await agent.post('/messages', { channelId, content: 'Ready', blocks }), 'blocks');
  return { messageId: message.id, blockId: 'a1', actionId: 'ok' };
}

/** A use of a new agent's command. */
async function useIn(scene: Scene): Promise<Body> {
  const agent = await agentIn(scene);
  const command = dataOf(await agent.post('/commands', { name: scene.world.unique('command') }), 'a command');
  return { commandId: command.id, channelId: (await scene.place()).id };
}

const make = async (scene: Scene): Promise<Json> => scene.make('/interactions', await clickIn(scene));

/** Only agents answer interactions, so `spec/interactions` tests that, and the events. */
export const interactions: Noun = {
  name: 'interaction',
  group: 'Interactions',
  limit: 60,
  make,

  reads: [
    {
      name: 'interactions',
      path: '/interactions',
      answer: shownInteraction,
      sight: 'own',
      async ready(scene) {
        await make(scene);
        return {};
      },
      filters: {
        channelId: 'reference',
        messageIds: 'reference',
        state: ['pending', 'done', 'failed', 'expired'],
      },
      listings: [
        {
          order: 'newest',
          key: ({ messageId }) => messageId,
          open: async (scene) => ({
            path: '/interactions',
            add: async () => (await make(scene)).messageId,
            take: (id) => scene.remove(`/messages/${id}`),
          }),
        },
      ],
    },
    {
      name: 'interactionById',
      path: '/interactions/:interactionId',
      answer: shownInteraction,
      sight: 'owner',
      ready: async (scene) => ({ id: (await make(scene)).id }),
    },
  ],

  writes: [
    {
      name: 'interactionInsert',
      method: 'POST',
      path: '/interactions',
      answer: interaction,
      rule: { ...participant, people: true },
      channels: channelKinds,
      ready: async (scene) => ({ body: await clickIn(scene) }),
      fields: { messageId: 'reference!', blockId: 'own!', actionId: 'own!', value: 'own' },
      variants: [
        {
          as: 'with a command',
          ready: async (scene) => ({ body: await useIn(scene) }),
          fields: { commandId: 'reference!', channelId: 'reference!', options: 'values' },
        },
        {
          as: 'with a command in a thread',
          async ready(scene) {
            const used = await useIn(scene);
            const { id: threadId } = await scene.make('/threads', {
              channelId: used.channelId,
              name: 'Inside',
            });
            return { body: { ...used, threadId } };
          },
          fields: { threadId: 'reference' },
        },
      ],
      events: [
        {
          what: 'a click, of which the agent is told',
          write: async ({ home }) => ({
            body: await clickIn(home),
            home: ({ id }) => [['interaction.created', { id }]],
          }),
        },
      ],
      random: [
        anInsert(3, (place, choice) => ({
          commandId: idOf(one(place, choice, 'command')),
          channelId: idOf(one(place, choice, 'channel')),
        })),
      ],
    },
  ],
};
