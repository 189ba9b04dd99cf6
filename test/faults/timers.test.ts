// @run waits: waits until timers are due
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { call, type Running, Stage, until } from '../support/process.ts';
import { listOf } from '../support/remote.ts';
import type { Json } from '../support/world.ts';

const ROUNDS = 3;
const MESSAGES = 60;
const REMINDERS = 30;
const PASSWORD = 'a horse that nobody rides';
/** The longest time until a claim by a killed process expires, and a little more. */
const TAKEOVER_MS = 40_000;
/** The time, in ms, from the request until everything is due. */
const AHEAD_MS = 8_000;

const stage = new Stage();
after(() => stage.close());

test(`${ROUNDS} kills while scheduled messages and reminders are due: none is lost or duplicated`, async () => {
  const folder = stage.folder();
  const environment = { PALAVER_LIMITS: '{"*":0}' };
  let server = await stage.start(folder, { environment });
  const { key, channelId } = server;
  const token = /link_plv_\w+/.exec(server.output())?.[0];
  const claimed = await call(server, 'POST', '/api/people/links/claim', {
    headers: { 'palaver-server': 'none' },
    body: { token, password: PASSWORD },
  });
  const cookie = (claimed.headers.get('set-cookie') ?? '').split(';')[0] as string;
  const { id: serverId } = (await call(server, 'GET', '/api/v1/users/me', { key })).body.data.server;
  const headers = { 'palaver-server': serverId, cookie };
  const ask = async (at: Running, method: string, path: string, body?: unknown): Promise<Json> => {
    const answer = await call(at, method, path, { headers, body });
    assert.equal(answer.status, 200, answer.text);
    return answer.body;
  };
  const contentsIn = async (): Promise<string[]> =>
    (await listOf(server, key, `/api/v1/channels/${channelId}/messages`)).map(({ content }) => content);
  const remindersIn = async (): Promise<string[]> =>
    (await listOf(server, key, '/api/v1/notifications')).map(({ messageId }) => messageId);

  const expected: string[] = [];
  const remembered: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const numbered = (count: number, word: string): string[] =>
      Array.from({ length: count }, (_, number) => `${word} ${round}.${number}`);
    const toRemember: string[] = [];
    for (const content of numbered(REMINDERS, 'remember')) {
      toRemember.push((await ask(server, 'POST', '/api/v1/messages', { channelId, content })).data.id);
      expected.push(content);
    }
    remembered.push(...toRemember);
    const later = numbered(MESSAGES, 'later');
    expected.push(...later);
    // All in parallel, so that even a busy machine is done before anything is due.
    const dueAt = Date.now() + AHEAD_MS;
    await Promise.all([
      ...toRemember.map((messageId) =>
        ask(server, 'POST', '/api/people/saved', { messageId, remindAt: dueAt }),
      ),
      ...later.map((content) =>
        ask(server, 'POST', '/api/people/scheduled-messages', { channelId, content, dueAt }),
      ),
    ]);
    const sentBefore = expected.length - MESSAGES;
    await until(async () => (await contentsIn()).length > sentBefore, TAKEOVER_MS, 5);
    await server.end('SIGKILL');
    server = await stage.start(folder, { environment });
    await until(async () => (await contentsIn()).length >= expected.length, TAKEOVER_MS);
    await until(async () => (await remindersIn()).length >= remembered.length, TAKEOVER_MS);
  }
  assert.deepEqual((await contentsIn()).sort(), expected.sort(), 'each message exactly once');
  assert.deepEqual((await remindersIn()).sort(), remembered.sort(), 'each reminder exactly once');
  assert.deepEqual((await ask(server, 'GET', '/api/people/scheduled-messages')).data, []);
  assert.equal(await server.end(), 0);
});
