import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Site, skip } from '../support/nodes.ts';
import { call } from '../support/process.ts';
import type { Json } from '../support/world.ts';

const NODES = 3;
const DECIDERS = 20;

let site: Site;

const ask = (node: number, method: string, path: string, key: string, body?: object) =>
  call(site.at(node % NODES), method, `/api/v1${path}`, { key, ...(body && { body }) });
const made = async (...given: Parameters<typeof ask>): Promise<Json> => {
  const answer = await ask(...given);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
};

/** A new member with a role, and their key. */
async function decider(
  username: string,
  serverId: string,
  roleId: string,
): Promise<{ key: string; id: string }> {
  const user = JSON.parse((await site.run(['user', 'create', '--username', username, '--json'])).stdout);
  const id = user.data?.id ?? user.id;
  await made(0, 'POST', '/server-members', site.key, { userId: id });
  const secret = await site.run([
    'key',
    'create',
    '--server',
    serverId,
    '--user',
    id,
    '--role',
    roleId,
    '--json',
  ]);
  const parsed = JSON.parse(secret.stdout);
  return { key: parsed.data?.key ?? parsed.key, id };
}

describe('an approval on three nodes', { skip }, () => {
  before(async () => {
    site = await Site.open(NODES);
  });
  after(() => site?.close());

  test('of 20 concurrent decisions, exactly one wins, and every node shows it', async () => {
    const { userId, serverId } = await made(0, 'POST', '/secrets', site.key, {
      kind: 'apiKey',
      name: 'Agent',
    });
    assert.ok(userId && serverId);
    const role = await made(0, 'POST', '/roles', site.key, { name: 'Deciders', canEditData: true });
    const agent = await made(0, 'POST', '/secrets', site.key, {
      kind: 'apiKey',
      name: 'Bot',
      roleId: role.id,
    });
    const keys: { key: string; id: string }[] = [];
    for (let number = 0; number < DECIDERS; number++) {
      keys.push(await decider(`decider${number}`, serverId, role.id));
    }
    const elements = [{ type: 'button', id: 'ok', text: 'OK' }];
    const deciders = { userIds: keys.map(({ id }) => id) };
    const blocks = [{ type: 'actions', id: 'a1', elements, deciders }];
    const message = await made(0, 'POST', '/messages', agent.key, {
      channelId: site.channelId,
      content: 'Deploy?',
      blocks,
    });
    const body = { messageId: message.id, blockId: 'a1', actionId: 'ok' };
    const answers = await Promise.all(
      keys.map(({ key }, node) => ask(node, 'POST', '/interactions', key, body)),
    );
    const won = answers.filter(({ status }) => status === 200);
    assert.equal(won.length, 1);
    const { id, userId: winner } = won[0]?.body.data ?? {};
    for (const { status, body } of answers.filter(({ status }) => status !== 200)) {
      assert.equal(status, 409);
      assert.deepEqual(body.error.details, [{ id, userId: winner }]);
    }
    for (let node = 0; node < NODES; node++) {
      const [block] = (await made(node, 'GET', `/messages/${message.id}`, site.key)).blocks;
      assert.deepEqual(
        block.decisions.map((decision: Json) => decision.id),
        [id],
      );
    }
  });
});
