import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Site, skip } from '../support/nodes.ts';
import { call } from '../support/process.ts';
import { listOf } from '../support/remote.ts';
import type { Json } from '../support/world.ts';

const TIMES = 100;

let site: Site;
let serverId: string;

/**
 * Sends one request to `count` nodes at the same time. Asserts that all return the same record, and
 * returns it.
 */
async function twins(count: number, from: number, path: string, body: object, key: string): Promise<Json> {
  const answers = await Promise.all(
    Array.from({ length: count }, (_, index) =>
      call(site.at(from + index), 'POST', `/api/v1${path}`, {
        key: site.key,
        body,
        headers: { 'idempotency-key': key },
      }),
    ),
  );
  const [{ text, body: first }] = answers as [(typeof answers)[0]];
  assert.deepEqual(
    answers.map(({ status, text }) => ({ status, text })),
    answers.map(() => ({ status: 200, text })),
  );
  const replayed = answers.filter(({ headers }) => headers.get('idempotency-replayed') === 'true');
  assert.equal(replayed.length, count - 1, 'one node wrote, and the others replayed its response');
  return first.data;
}

describe('identical requests at several nodes at the same time', { skip }, () => {
  before(async () => {
    site = await Site.open(3);
    const [server] = await listOf(site.at(0), site.key, '/api/v1/servers');
    serverId = server.id;
  });
  after(() => site?.close());

  test(`create one message each of ${TIMES} times`, async () => {
    const ids: string[] = [];
    for (let time = 0; time < TIMES; time++) {
      const body = { channelId: site.channelId, content: `message ${time}` };
      const { id } = await twins(2 + (time % 2), time, '/messages', body, `message ${time}`);
      ids.push(id);
    }
    const there = await listOf(site.inTurn, site.key, `/api/v1/channels/${site.channelId}/messages`);
    assert.deepEqual(
      there.map(({ id }) => id),
      ids.toReversed(),
    );
  });

  test('create a channel, without refusing the name as taken', async () => {
    const before = await listOf(site.at(0), site.key, `/api/v1/servers/${serverId}/channels`);
    for (let time = 0; time < 20; time++) {
      await twins(3, time, '/channels', { name: `channel-${time}` }, `channel ${time}`);
    }
    const there = await listOf(site.at(1), site.key, `/api/v1/servers/${serverId}/channels`);
    assert.equal(there.length, before.length + 20);
  });

  test('create a key once, which is valid at every node', async () => {
    for (let time = 0; time < 20; time++) {
      const { key } = await twins(3, time, '/secrets', { kind: 'apiKey', name: 'Twin' }, `secret ${time}`);
      for (const node of site.nodes) {
        assert.equal((await call(node, 'GET', `/api/v1/servers/${serverId}`, { key })).status, 200);
      }
    }
    const members = await listOf(site.inTurn, site.key, `/api/v1/servers/${serverId}/members`);
    assert.equal(members.length, 21);
  });
});
