import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { KeptClient, Site, skip, withClock } from '../support/nodes.ts';
import { type Running, until } from '../support/process.ts';
import { listOf } from '../support/remote.ts';
import type { Json } from '../support/world.ts';

const MESSAGES = 120;
const SHIFT_MS = 5_000;
/** The largest apparent difference between the test's and the database's clocks on a busy machine. */
const SLACK_MS = 2_000;

let site: Site;

/**
 * Sends messages one after another, each to the next node, and asserts that the channel lists them in this
 * order.
 */
async function assertOrder(nodes: readonly Running[], name: string): Promise<void> {
  const { id: channelId } = await site.make('/channels', { name });
  const client = new KeptClient(site.key);
  const sent: Json[] = [];
  for (let number = 0; number < MESSAGES; number++) {
    const node = nodes[number % nodes.length] as Running;
    const from = Date.now();
    const answer = await client.call(node, 'POST', '/api/v1/messages', { channelId, content: `${number}` });
    assert.equal(answer.status, 200, answer.text);
    const { createdAt } = answer.body.data;
    assert.ok(createdAt > from - SLACK_MS && createdAt < Date.now() + SLACK_MS, `${createdAt} at ${from}`);
    sent.push(answer.body.data);
  }
  client.close();
  for (const node of nodes) {
    const listed = await listOf(node, site.key, `/api/v1/channels/${channelId}/messages`);
    assert.deepEqual(
      listed.map(({ id, content }) => [content, id]),
      sent.toReversed().map(({ id, content }) => [content, id]),
    );
  }
  const ascending = [...sent].sort((one, other) => one.createdAt - other.createdAt);
  assert.deepEqual(ascending, sent);
}

describe('messages sent one after another to the nodes in turn', { skip }, () => {
  before(async () => {
    site = await Site.open(3);
  });
  after(() => site?.close());

  test('are listed in the order of sending', () => assertOrder(site.nodes, 'right'));

  for (const [words, ahead] of [
    ['ahead', SHIFT_MS],
    ['behind', -SHIFT_MS],
  ] as const) {
    test(`are in order when the clock of one node is ${SHIFT_MS / 1000} s ${words}, and the node warns about it`, async () => {
      const off = await site.start(withClock(ahead));
      await until(() => /clock differs/.test(off.log()));
      const [, milliseconds] = /"milliseconds":(-?\d+)[^\n]*clock differs/.exec(off.log()) ?? [];
      assert.ok(Math.abs(Number(milliseconds) + ahead) < SLACK_MS, `it says ${milliseconds} ms`);
      await assertOrder([site.at(0), off, site.at(1)], words);
      for (const node of site.nodes) assert.doesNotMatch(node.log(), /clock differs/);
      assert.equal(await off.end(), 0);
    });
  }
});
