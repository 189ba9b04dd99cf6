// @run waits: waits until timers are due
import assert from 'node:assert/strict';
import { ask } from '../support/databases.ts';
import { after, before, Site, test } from '../support/nodes.ts';
import { call, until } from '../support/process.ts';
import { listOf } from '../support/remote.ts';
import type { Json } from '../support/world.ts';

// Nodes share the timers. Each timer fires once, on one node.

const NODES = 3;
const MESSAGES = 60;
const REMINDERS = 30;
/** The time, in ms, from the first request until everything is due. */
const AHEAD_MS = 20_000;
/** The longest time until a claim by the killed node expires, on a busy machine. */
const TAKEOVER_MS = 60_000;

let site: Site;
before(async () => {
  site = await Site.open(NODES);
});
after(() => site?.close());

/** Sends a request to one of the nodes as the person from the first run. */
async function person(): Promise<
  (node: number, method: string, path: string, body?: object) => Promise<Json>
> {
  const token = /link_plv_\w+/.exec(site.at(0).output())?.[0];
  const claimed = await call(site.at(0), 'POST', '/api/people/links/claim', {
    headers: { 'palaver-server': 'none' },
    body: { token, password: 'a horse that nobody rides' },
  });
  const cookie = (claimed.headers.get('set-cookie') ?? '').split(';')[0] as string;
  const { id } = (await call(site.at(0), 'GET', '/api/v1/users/me', { key: site.key })).body.data.server;
  return async (node, method, path, body) => {
    const headers = { 'palaver-server': id, cookie };
    const answer = await call(site.at(node), method, path, { headers, body });
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data;
  };
}

test('three nodes send each scheduled message and reminder once, even if one of them is killed', async () => {
  const asPerson = await person();
  const { key, channelId } = site;
  const dueAt = Date.now() + AHEAD_MS;
  const expected: string[] = [];
  const remembered: string[] = [];
  const own = Array.from({ length: REMINDERS }, (_, number) => number);
  await Promise.all(
    own.map(async (number) => {
      const content = `remember ${number}`;
      const { id: messageId } = await asPerson(number, 'POST', '/api/v1/messages', { channelId, content });
      await asPerson(number + 1, 'POST', '/api/people/saved', { messageId, remindAt: dueAt });
      expected.push(content);
      remembered.push(messageId);
    }),
  );
  for (let number = 0; number < MESSAGES; number++) {
    const content = `later ${number}`;
    await asPerson(number, 'POST', '/api/people/scheduled-messages', { channelId, content, dueAt });
    expected.push(content);
  }
  assert.ok(Date.now() < dueAt, 'everything was scheduled in time');
  const rows = async (table: string): Promise<number> =>
    Number((await ask<{ n: string }>(site.database, `select count(*) as n from ${table}`))[0]?.n);
  await until(async () => (await rows('"scheduledMessage"')) < MESSAGES, AHEAD_MS + TAKEOVER_MS, 5);
  await site.at(2).end('SIGKILL');
  site.nodes.length = 2;
  await until(async () => (await rows('timer')) === 0, TAKEOVER_MS);
  const contents = await listOf(site.inTurn, key, `/api/v1/channels/${channelId}/messages`);
  assert.deepEqual(contents.map(({ content }) => content).sort(), expected.sort(), 'each message once');
  const reminders = await listOf(site.inTurn, key, '/api/v1/notifications');
  assert.deepEqual(
    reminders.map(({ messageId }) => messageId).sort(),
    remembered.sort(),
    'each reminder once',
  );
});
