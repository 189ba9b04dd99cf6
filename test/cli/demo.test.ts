// @run sqlite: a demo has a database of its own
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { call, type Running, Stage, until } from '../support/process.ts';
import { assertFailed } from '../support/remote.ts';
import type { Json } from '../support/world.ts';

// `palaver start --demo`, used as a visitor does: through the link that it prints.

const stage = new Stage();
/** The folder for the program's temporary files. */
const temporary = stage.folder();
/** Data that the demo must not touch. */
const data = join(stage.folder(), 'data');
let server: Running;
let cookie: string;
let serverId: string;
before(async () => {
  const environment = {
    TMPDIR: temporary,
    PALAVER_DATA: data,
    REDIS_URL: 'redis://127.0.0.1:1',
    PALAVER_HOSTS: 'localhost',
  };
  server = await stage.listening(await stage.spawn(['start', '--demo', '--port', '0'], environment));
  const [, token] = /\/welcome#(link_plv_\w+)/.exec(server.output()) ?? [];
  const claimed = await call(server, 'POST', '/api/people/links/claim', {
    headers: { 'palaver-server': 'none' },
    body: { token, password: 'a horse that nobody rides' },
  });
  assert.equal(claimed.status, 200);
  cookie = (claimed.headers.getSetCookie()[0] ?? '').split(';')[0] as string;
  [{ id: serverId }] = await get('/api/people/servers', 'none');
});
after(() => stage.close());

const ask = async (
  method: string,
  path: string,
  { body, place = serverId }: { body?: object; place?: string } = {},
) => {
  const answer = await call(server, method, path, { headers: { cookie, 'palaver-server': place }, body });
  assert.equal(answer.status, 200, `${path} ${answer.text}`);
  return answer;
};
const get = async (path: string, place?: string): Promise<Json> =>
  (await ask('GET', path, place === undefined ? {} : { place })).body.data;
const channelNamed = async (name: string): Promise<Json> =>
  (await get(`/api/v1/servers/${serverId}/channels`)).find((one: Json) => one.name === name);
const messagesOf = async (name: string): Promise<Json[]> =>
  get(`/api/v1/channels/${(await channelNamed(name)).id}/messages?limit=50`);

test('the visitor finds people, channels, threads, reactions, pins and files, with unread messages', async () => {
  const members = await get(`/api/v1/servers/${serverId}/members`);
  const names = members.map(({ user }: Json) => user.username).sort();
  assert.deepEqual(names, ['ada', 'admin', 'ben', 'chidi', 'guide', 'mei']);
  const general = await messagesOf('general');
  const release = general.find(({ content }) => content.includes('The release went out'));
  assert.equal((await get(`/api/v1/messages/${release?.id}/reactions`)).length, 5);
  assert.equal((await get(`/api/v1/channels/${release?.channelId}/pins`)).length, 1);
  const [thread] = await get(`/api/v1/channels/${release?.channelId}/threads`);
  assert.equal(thread.name, "This morning's release");
  const files = (await Promise.all(['general', 'releases', 'design'].map(messagesOf)))
    .flat()
    .flatMap(({ attachments }) => attachments ?? []);
  assert.deepEqual(files.map(({ name }) => name).sort(), ['figures.csv', 'harbour.png', 'runbook.md']);
  const picture = files.find(({ name }) => name === 'harbour.png');
  assert.deepEqual([picture.type, picture.width, picture.height], ['image/png', 960, 540]);
  const notices = await get('/api/v1/notifications');
  assert.ok(notices.some(({ type }: Json) => type === 'mention'));
});

test('the bot answers mentions in channels and in threads', async () => {
  const { id: channelId } = await channelNamed('random');
  const answered = async (id: string, path: string, expected: RegExp) => {
    let found: Json;
    await until(async () => {
      found = (await get(path)).find(
        (each: Json) => each.id > id && each.creatorId !== undefined && expected.test(each.content),
      );
      return found !== undefined;
    });
    return found;
  };
  const send = async (body: object): Promise<Json> =>
    (await ask('POST', '/api/v1/messages', { body })).body.data;
  for (const [content, expected] of [
    ['@guide dice', /^🎲 [1-6] and [1-6]$/],
    ['@guide count', /^The latest \d+ messages here are from \d people/],
    ['@guide hello', /`@guide dice`/],
  ] as const) {
    const { id } = await send({ channelId, content });
    const { replyToId } = await answered(id, `/api/v1/channels/${channelId}/messages`, expected);
    assert.equal(replyToId, id);
  }
  const root = await send({ channelId, content: 'A root' });
  const thread = (await ask('POST', '/api/v1/threads', { body: { messageId: root.id } })).body.data;
  const { id } = await send({ threadId: thread.id, content: '@guide dice' });
  await answered(id, `/api/v1/channels/${channelId}/messages?threadId=${thread.id}`, /^🎲/);
});

test('when the demo stops, its data is gone, and no other data was touched', async () => {
  assert.equal(readdirSync(temporary).filter((name) => name.startsWith('palaver-demo-')).length, 1);
  assert.equal(await server.end('SIGINT'), 0);
  assert.deepEqual(readdirSync(temporary), []);
  assert.equal(existsSync(data), false);
});

test('a demo rejects explicitly configured data', async () => {
  for (const args of [
    ['--data', data],
    ['--database', 'postgres://127.0.0.1:1/none'],
    ['--redis', 'redis://127.0.0.1:1'],
  ])
    assertFailed(await stage.run(['start', '--demo', ...args]), /--demo uses its own data/);
});
