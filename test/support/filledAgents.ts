import { dataOf } from './expect.ts';
import type { Scene } from './scene.ts';
import type { Client } from './world.ts';

/** Fills the tables for agents: a message with blocks, a person's interaction with it, and a command. */
export async function fillAgents({ world, server }: Scene, channelId: string, person: Client): Promise<void> {
  const agent = await world.client(server, ['canEditData'], await world.user({ agent: true }));
  const elements = [{ type: 'button', id: 'ok', text: 'OK', value: '1' }];
  const blocks = [
    { type: 'section', text: 'Grüße, **東京**' },
    { type: 'actions', id: 'a1', elements },
  ];
  const { id: messageId } = dataOf(await agent.post('/messages', { channelId, content: 'Ready', blocks }));
  const made = dataOf(await person.post('/interactions', { messageId, blockId: 'a1', actionId: 'ok' }));
  dataOf(await agent.post(`/interactions/${made.id}/answer`, { ephemeral: 'Only for you' }));
  const options = [{ name: 'dienst', type: 'choice', choices: ['web'], required: true }];
  const { id: commandId } = dataOf(await agent.post('/commands', { name: 'deploy', options }));
  const { id: threadId } = dataOf(await person.post('/threads', { channelId, name: 'Bereitschaft' }));
  const used = { commandId, threadId, options: { dienst: 'web' } };
  dataOf(await person.post('/interactions', used));
}
