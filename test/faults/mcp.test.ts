import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { call, type Running, Stage } from '../support/process.ts';
import { listOf } from '../support/remote.ts';

/** The number of times that one call is repeated. */
const CALLS = 100;
/** After these numbers of calls, the server is killed during the next ten. */
const KILLED_AFTER = [0, 20, 60];

const stage = new Stage();
after(() => stage.close());

/** Calls the tool. Undefined if the server did not answer. */
async function send(server: Running, key: string, args: Record<string, string>): Promise<string | undefined> {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'send', arguments: args } };
  const answer = await call(server, 'POST', '/mcp', { key, body }).catch(() => undefined);
  if (!answer) return undefined;
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.body.result.isError, undefined, answer.text);
  return answer.body.result.structuredContent.id;
}

test('a call that is repeated 100 times while the server is killed sends one message', async () => {
  const folder = stage.folder();
  let server = await stage.start(folder);
  const { channelId, key } = server;
  const args = { channelId, content: 'Only once', requestKey: 'one' };
  const ids = new Set<string>();
  let lost = 0;
  for (let first = 0; first < CALLS; first += 10) {
    const calls = Array.from({ length: 10 }, () => send(server, key, args));
    // Kills the server while the calls are running.
    if (KILLED_AFTER.includes(first)) await server.end('SIGKILL');
    for (const id of await Promise.all(calls)) {
      if (id === undefined) lost++;
      else ids.add(id);
    }
    if (KILLED_AFTER.includes(first)) server = await stage.start(folder);
  }
  assert.ok(lost > 0, 'the server is killed during calls');
  assert.equal(ids.size, 1);
  const messages = await listOf(server, key, `/api/v1/channels/${channelId}/messages`);
  assert.deepEqual(
    messages.filter(({ content }) => content === 'Only once').map(({ id }) => id),
    [...ids],
  );
});
