import { operations, pathOf, requestOf } from '../rows/index.ts';
import { dataOf } from '../support/expect.ts';
import type { Asked } from './requests.ts';
import type { Stock } from './stock.ts';

/** A request that succeeds; undefined for an operation without a row in test/rows. */
export async function validRequest(stock: Stock, operationId: string): Promise<Asked | undefined> {
  const [key, agentKey] = stock.keys as [string, string];
  if (operationId === 'interactionAnswer') {
    const { path, body } = await answerTo(stock, agentKey);
    return requestBy(agentKey, 'POST', path, body);
  }
  const row = operations.find(({ name }) => name === operationId);
  if (!row) return undefined;
  const { id, body } = await requestOf(row, stock.scene);
  return requestBy(key, row.method ?? 'GET', pathOf(row, id), body);
}

/** An agent's response to a click on its button. */
async function answerTo({ scene }: Stock, agentKey: string): Promise<{ path: string; body: object }> {
  const { id: channelId } = await scene.channel();
  const elements = [{ type: 'button', id: 'ok', text: 'OK' }];
  const message = { channelId, content: 'Ready', blocks: [{ type: 'actions', id: 'a1', elements }] };
  const { id: messageId } = dataOf(await scene.world.as(agentKey).post('/messages', message));
  const click = { messageId, blockId: 'a1', actionId: 'ok' };
  const { id } = dataOf(await scene.admin.post('/interactions', click));
  return { path: `/interactions/${id}/answer`, body: { ephemeral: 'Done' } };
}

const requestBy = (key: string, method: string, path: string, body: unknown): Asked => ({
  method,
  target: `/api/v1${path}`,
  headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  body: body === undefined ? undefined : JSON.stringify(body),
});
