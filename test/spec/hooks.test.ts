import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { after, before, test } from 'node:test';
import pino from 'pino';
import { dataOf } from '../support/expect.ts';
import { type Answered, assertNotTaken, postTo } from '../support/hookPost.ts';
import { Scene } from '../support/scene.ts';
import { payloads } from '../support/slackPayloads.ts';
import { find } from '../support/sources.ts';
import { type Json, TestClock, World } from '../support/world.ts';

const FORM = 'application/x-www-form-urlencoded';

let world: World;
let scene: Scene;
let channel: Json;
let hook: Json;
const log: string[] = [];
before(async () => {
  const stream = new Writable({
    write(line, _encoding, done) {
      log.push(String(line));
      done();
    },
  });
  world = await World.open({ logger: pino({ level: 'debug' }, stream) });
  scene = await Scene.open(world);
  channel = await scene.channel();
  hook = await scene.webhook({ direction: 'in', url: undefined, channelId: channel.id, name: 'Reports' });
});
after(() => world.close());

/** Posts to a webhook, as an external program would. */
const post = (
  path: string,
  body: string | object | undefined,
  headers?: Record<string, string>,
  at: World = world,
): Promise<Answered> => postTo(at, path, body, headers);

const messages = async (at: Json = channel): Promise<Json[]> =>
  dataOf(await scene.admin.get(`/channels/${at.id}/messages?limit=100`));

const latest = async (): Promise<Json> => (await messages())[0];

test("text becomes a message from the agent, and the response is Slack's", async () => {
  const answer = await post(hook.path, { text: 'Hello from a script 👋' });
  assert.deepEqual(answer, { status: 200, type: 'text/plain; charset=utf-8', text: 'ok' });
  const message = await latest();
  assert.equal(message.content, 'Hello from a script 👋');
  assert.deepEqual([message.type, message.creatorId], ['agent', hook.userId]);
  assert.equal(dataOf(await scene.admin.get(`/users/${hook.userId}`)).name, 'Reports');
});

for (const { from, body, content } of payloads) {
  test(`the payload from ${from} is shown as text`, async () => {
    assert.equal((await post(hook.path, body)).text, 'ok');
    assert.equal((await latest()).content, content);
  });
}

test('a body can be JSON with any media type, or a form', async () => {
  const json = JSON.stringify({ text: 'one & two' });
  const bodies: [body: string, type: string][] = [
    [json, 'application/json; charset=utf-8'],
    [json, 'text/plain'],
    [json, FORM],
    [`payload=${encodeURIComponent(json)}`, FORM],
    [`payload=${encodeURIComponent(json)}&channel=x`, `${FORM}; charset=utf-8`],
    ['text=one+%26+two', FORM],
  ];
  for (const [body, type] of bodies) {
    const before = (await messages()).length;
    assert.equal((await post(hook.path, body, { 'content-type': type })).text, 'ok', `${type} ${body}`);
    const now = await messages();
    assert.equal(now.length, before + 1);
    assert.equal(now[0].content, 'one & two', `${type} ${body}`);
  }
});

test('text that is too long is truncated', async () => {
  await post(hook.path, { text: '𝒳'.repeat(8000) });
  assert.equal((await latest()).content, '𝒳'.repeat(8000));
  await post(hook.path, { text: '𝒳'.repeat(8001) });
  assert.equal((await latest()).content, `${'𝒳'.repeat(7999)}…`);
});

test('a body without any text to show is rejected', async () => {
  const count = (await messages()).length;
  const bodies: (string | object)[] = [
    {},
    { text: '' },
    { text: ' \n\t' },
    { text: 5 },
    { text: null, blocks: [{ type: 'divider_' }], attachments: [{ color: '#fff' }] },
    { blocks: 'none', attachments: { text: 'no list' } },
    [],
    'null',
    '"text"',
    '5',
    '',
    'no JSON',
    '{"text": "half',
    '{"text": "\\u0000"}',
    '{"text": "\\ud800"}',
    '['.repeat(40),
  ];
  for (const body of bodies) assertNotTaken(await post(hook.path, body), 'INVALID_REQUEST');
  for (const body of ['payload=no', 'payload=', 'text=', 'other=1', 'text=%00']) {
    assertNotTaken(await post(hook.path, body, { 'content-type': FORM }), 'INVALID_REQUEST');
  }
  assert.equal((await messages()).length, count);
});

test('the message is like any other: it notifies users and appears in the log', async () => {
  const user = await world.user();
  const reader = await world.client(scene.server, [], user);
  await post(hook.path, { text: `Look, @${user.username}` });
  const [notification] = dataOf(await reader.get('/notifications'));
  assert.deepEqual([notification.type, notification.actorId], ['mention', hook.userId]);
  const events = await world.data.db.read.all(
    find('event', { logId: scene.server.id, type: 'message.created' }),
  );
  const last = events.toSorted((one, other) => one.seq - other.seq).at(-1);
  assert.deepEqual([last?.actorId, last?.channelId], [hook.userId, channel.id]);
});

test('requests with the same Idempotency-Key post once', async () => {
  const headers = { 'content-type': 'application/json', 'idempotency-key': 'run 7' };
  const count = (await messages()).length;
  for (let time = 0; time < 3; time++) {
    assert.deepEqual(await post(hook.path, { text: 'once' }, headers), {
      status: 200,
      type: 'text/plain; charset=utf-8',
      text: 'ok',
    });
  }
  assert.equal((await messages()).length, count + 1);
});

test('an unknown or mistyped token, or another kind of token, is rejected', async () => {
  const key = scene.admin.key;
  const wrong = `${hook.token.slice(0, -1)}${hook.token.endsWith('0') ? '1' : '0'}`;
  for (const token of [wrong, 'x', key, '%00', `${hook.token}0`, hook.token.toUpperCase()]) {
    assertNotTaken(await post(`/hooks/${token}`, { text: 'no' }), 'INVALID_API_KEY');
  }
  for (const authorization of [`Bearer ${hook.token}`, hook.token, `/hooks/${hook.token}`]) {
    const answer = await world.request('GET', '/servers', { headers: { authorization } });
    assert.equal(answer.status, 401, 'a token is not an API key');
  }
});

/** The ways in which a webhook stops accepting messages. */
const ends: Record<string, (made: Json, role: Json) => Promise<unknown>> = {
  'it is deleted': ({ id }) => scene.admin.delete(`/webhooks/${id}`),
  'it is disabled': ({ id }) => scene.admin.patch(`/webhooks/${id}`, { enabled: false }),
  'its token is rotated': ({ id }) => scene.admin.patch(`/webhooks/${id}`, { rotateSecret: true }),
  'its role is deleted': (_made, role) => scene.admin.delete(`/roles/${role.id}`),
  'its agent is kicked': async ({ userId }) => {
    const members = dataOf(await scene.admin.get(`/servers/${scene.server.id}/members?limit=100`));
    const { id } = members.find((member: Json) => member.userId === userId);
    return scene.admin.delete(`/server-members/${id}`);
  },
  'its channel is deleted': ({ channelId }) => scene.admin.delete(`/channels/${channelId}`),
};
for (const [what, end] of Object.entries(ends)) {
  test(`a webhook accepts no messages once ${what}`, async () => {
    const role = await scene.role({ canEditApp: true, canEditData: true });
    const maker = await world.clientWithRole(scene.server, role);
    const { id: channelId } = await scene.channel();
    const made = dataOf(await maker.post('/webhooks', { direction: 'in', channelId }));
    assert.equal((await post(made.path, { text: 'yes' })).text, 'ok');
    await end(made, role);
    assertNotTaken(await post(made.path, { text: 'no' }), 'INVALID_API_KEY');
  });
}

test('a rotated token and a re-enabled webhook work', async () => {
  const { id: channelId } = await scene.channel();
  const made = await scene.webhook({ direction: 'in', url: undefined, channelId });
  const rotated = dataOf(await scene.admin.patch(`/webhooks/${made.id}`, { rotateSecret: true }));
  assert.notEqual(rotated.token, made.token);
  dataOf(await scene.admin.patch(`/webhooks/${made.id}`, { enabled: false }));
  dataOf(await scene.admin.patch(`/webhooks/${made.id}`, { enabled: true }));
  assert.equal((await post(rotated.path, { text: 'yes' })).text, 'ok');
  const elsewhere = await scene.channel();
  dataOf(await scene.admin.patch(`/webhooks/${made.id}`, { channelId: elsewhere.id }));
  assert.equal((await post(rotated.path, { text: 'there' })).text, 'ok');
  assert.equal((await messages(elsewhere))[0].content, 'there');
});

test("a webhook has its role's permissions", async () => {
  const role = await scene.role({ canEditApp: true, canEditData: true });
  const maker = await world.clientWithRole(scene.server, role);
  const { id: channelId } = await scene.channel({ readonly: true });
  const made = dataOf(await maker.post('/webhooks', { direction: 'in', channelId }));
  assertNotTaken(await post(made.path, { text: 'no' }), 'FORBIDDEN');
  dataOf(await scene.admin.patch(`/channels/${channelId}`, { readonly: false }));
  assert.equal((await post(made.path, { text: 'yes' })).text, 'ok');
  dataOf(await scene.admin.patch(`/roles/${role.id}`, { canEditData: false }));
  assertNotTaken(await post(made.path, { text: 'no' }), 'FORBIDDEN');
  dataOf(await scene.admin.patch(`/roles/${role.id}`, { canEditData: true }));
  dataOf(await scene.admin.patch(`/channels/${channelId}`, { private: true }));
  assertNotTaken(await post(made.path, { text: 'no' }), 'FORBIDDEN');
});

test('posts count against the message limit, and wrong tokens against the limit on failed authentications', async () => {
  const clock = new TestClock();
  const limited = await World.open({ clock, limits: { '*': 0, message: 3, authentication: 2 } });
  try {
    const { admin, channel } = await Scene.open(limited).then(async (scene) => ({
      admin: scene.admin,
      channel: await scene.channel(),
    }));
    const made = dataOf(await admin.post('/webhooks', { direction: 'in', channelId: channel.id }));
    const say = (path = made.path) => post(path, { text: 'again' }, undefined, limited);
    for (let time = 0; time < 3; time++) assert.equal((await say()).text, 'ok');
    assertNotTaken(await say(), 'RATE_LIMITED');
    dataOf(await admin.post('/messages', { channelId: channel.id, content: 'mine' }));
    clock.advance(60_000);
    assert.equal((await say()).text, 'ok');
    for (let time = 0; time < 2; time++) assertNotTaken(await say('/hooks/none'), 'INVALID_API_KEY');
    assertNotTaken(await say('/hooks/none'), 'RATE_LIMITED');
    assert.equal((await say()).text, 'ok');
  } finally {
    await limited.close();
  }
});

test('tokens appear neither in the log nor in the metrics', async () => {
  const { token, path } = await scene.webhook({ direction: 'in', url: undefined, channelId: channel.id });
  await post(path, { text: 'logged' });
  await post(path, '{');
  await post(`${path}0`, { text: 'no' });
  await post(`${path}/slack`, { text: 'yes' });
  await post(`${path}/github/`, { text: 'no' });
  await post(`//hooks/${token}`, { text: 'no' });
  await post(`/%68ooks/${token}`, { text: 'yes' });
  await post(`/HOOKS/${token}`, { text: 'no' });
  await world.request('GET', world.url + path);
  const metrics = (await world.request('GET', `${world.url}/metrics`)).body;
  assert.match(metrics, /route="\/hooks\/:token"/);
  assert.match(metrics, /route="\/hooks\/:token\/slack"/);
  assert.ok(!metrics.includes(token));
  assert.ok(log.some((line) => line.includes('/hooks/…')));
  assert.ok(!log.some((line) => line.includes(token)));
});
