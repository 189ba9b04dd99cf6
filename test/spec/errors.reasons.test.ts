import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Browser, PASSWORD } from '../support/account.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { Scene } from '../support/scene.ts';
import { RawClient } from '../support/socket.ts';
import { eventIdOf } from '../support/sources.ts';
import { type Answer, type Json, TestClock, World } from '../support/world.ts';

let world: World;
let scene: Scene;
let hook: Json;
before(async () => {
  world = await World.open({ quotas: { webhooks: 0, metaBytes: 300 } });
  scene = await Scene.open(world);
  hook = await scene.webhook({ direction: 'in', url: undefined, channelId: (await scene.channel()).id });
});
after(() => world.close());

const post = (path: string, body: unknown, headers?: Record<string, string>) => () =>
  scene.admin.post(path, body, headers);
const get = (path: string) => () => scene.admin.get(path);

/** Begins a streamed message. */
const streamed = async (): Promise<Json> =>
  scene.make('/messages', { channelId: (await scene.channel()).id, content: 'Hi', streaming: true });
const appendTo = ({ id }: Json, offset: number) =>
  scene.admin.post(`/messages/${id}/append`, { offset, text: '!' });

/** Sends raw bytes to an endpoint that accepts any object. */
const send =
  (raw: string | Uint8Array<ArrayBuffer>, type = 'application/json') =>
  () =>
    world.request('POST', '/invites', {
      raw,
      headers: { authorization: `Bearer ${scene.admin.key}`, 'content-type': type },
    });

const signUp = (password: string) => () => new Browser(world).post('/sign-up', { username: 'ada', password });

const sendToHook = (raw: string, type: string) => () =>
  world.request('POST', world.url + hook.path, { raw, headers: { 'content-type': type } });

/** The response to bytes that no HTTP client would send. */
async function sendRaw(text: string): Promise<Answer> {
  const client = new RawClient(world);
  client.send(text);
  const { status, headers, body } = await client.answer();
  client.close();
  const pairs = headers
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(': ') as [string, string]);
  return { status, headers: new Headers(pairs), body, data: undefined };
}

async function expired(): Promise<Answer> {
  const clock = new TestClock();
  const old = await World.open({ clock });
  try {
    const { admin, channel } = bound(await Scene.open(old));
    const first = (await admin.get('/events?limit=1')).data[0].id;
    clock.advance(31 * 24 * 60 * 60 * 1000);
    await channel();
    await old.tidy();
    const refused = await admin.get(`/events?after=${first}`);
    const { cursor } = refused.body.error.details[0];
    assert.deepEqual(
      dataOf(await admin.get(`/events?after=${cursor}`)).map(({ type }: Json) => type),
      ['channel.created'],
    );
    return refused;
  } finally {
    await old.close();
  }
}

const bound = (old: Scene) => ({ admin: old.admin, channel: () => old.channel() });

/** A request for each reason, and the field that the error names. Listed independently of docs/api/errors.md. */
const refusals: Record<string, [path: string, () => Promise<Answer>]> = {
  missing: ['content', post('/messages', { channelId: 'x' })],
  wrong_type: ['maxUses', post('/invites', { maxUses: '5' })],
  unknown_value: ['kind', post('/secrets', { kind: 'none', name: 'x' })],
  wrong_form: ['url', post('/webhooks', { url: 'ftp://example.com' })],
  blank: ['name', post('/channels', { name: ' ' })],
  too_short: ['password', signUp('short')],
  too_long: ['name', post('/channels', { name: 'x'.repeat(101) })],
  out_of_range: ['limit', get('/servers?limit=101')],
  too_few: ['types', post('/webhooks', { url: 'https://example.com', types: [] })],
  too_many: ['roleIds', post('/channels', { name: 'x', roleIds: Array(101).fill('x') })],
  too_large: ['', send(`{"padding":"${'x'.repeat(256 * 1024)}"}`)],
  too_deep: ['', send(`${'{"a":'.repeat(33)}1${'}'.repeat(33)}`)],
  duplicate: [
    'ids',
    async () => {
      const { id, channelId } = await scene.message();
      return scene.admin.post('/messages/delete', { channelId, ids: [id, id] });
    },
  ],
  bad_text: ['name', post('/channels', { name: 'a\0b' })],
  bad_encoding: ['', send(Uint8Array.from([0x22, 0xff, 0x22]))],
  bad_json: ['', send('{')],
  bad_form: ['', () => sendToHook('x', 'multipart/form-data; boundary=y')()],
  wrong_media_type: ['', send('<a/>', 'application/xml')],
  nothing_to_show: ['', () => sendToHook('{}', 'application/json')()],
  unreadable: ['', () => sendRaw('nonsense\r\n\r\n')],
  wrong_host: ['', () => sendRaw('GET /api/v1/servers HTTP/1.1\r\n\r\n')],
  bad_cursor: ['cursor', get('/servers?cursor=none')],
  expired: ['after', expired],
  other_history: [
    'after',
    async () => {
      const cursor = eventIdOf(scene.server.id, { epoch: 'ffffffffffff', seq: 1 });
      const refused = await scene.admin.get(`/events?after=${cursor}`);
      assert.equal(refused.body.error.details[0].cursor, await scene.cursor());
      return refused;
    },
  ],
  key_reused: [
    '',
    async () => {
      const headers = { 'idempotency-key': 'the same' };
      dataOf(await scene.admin.post('/invites', {}, headers));
      return scene.admin.post('/invites', { maxUses: 1 }, headers);
    },
  ],
  reserved: [
    'username',
    () => new Browser(world).post('/sign-up', { username: 'everyone', password: PASSWORD }),
  ],
  mismatch: [
    'channelId',
    async () => {
      const { id: threadId } = await scene.thread();
      const { id: channelId } = await scene.channel();
      return scene.admin.post('/messages', { threadId, channelId, content: 'x' });
    },
  ],
  wrong_kind: ['id', () => scene.admin.post(`/webhooks/${hook.id}/ping`, {})],
  not_together: [
    'around',
    async () => {
      const { id, channelId } = await scene.message();
      return scene.admin.get(`/channels/${channelId}/messages?around=${id}&order=asc`);
    },
  ],
  fixed: [
    'serverId',
    async () => {
      const { id } = await scene.app();
      const other = await world.server(scene.owner);
      return scene.admin.patch(`/apps/${id}`, { serverId: other.id });
    },
  ],
  wrong_offset: ['offset', async () => appendTo(await streamed(), 9)],
  ended: [
    'id',
    async () => {
      const { id } = await streamed();
      await scene.admin.post(`/messages/${id}/stop`);
      return appendTo({ id }, 2);
    },
  ],
  refused_address: ['url', post('/webhooks', { url: 'https://a:b@example.com' })],
  quota: ['meta', post('/apps', { name: 'x', meta: ['x'.repeat(400)] })],
  // The world's address is an IP address.
  insecure_address: ['', () => new Browser(world).post('/sign-in/options')],
  weak_password: ['password', signUp('football')],
};

for (const [reason, [path, request]] of Object.entries(refusals)) {
  test(`${reason} is reported`, async () => {
    const refused = await request();
    assertRefused(refused, 'INVALID_REQUEST', reason);
    const told = refused.body.error.details.map((detail: Json) => [detail.reason, detail.path]);
    assert.ok(
      told.some(([name, at]: [string, string]) => name === reason && at === path),
      JSON.stringify(told),
    );
  });
}

test('the OpenAPI document, docs/api/errors.md and this table list the same reasons', async () => {
  const { body } = await world.request('GET', `${world.url}/openapi.json`);
  const told: string[] = body.components.schemas.Problem.properties.reason.enum;
  // `too_slow` requires a slow client: running/slow covers it.
  assert.deepEqual([...Object.keys(refusals), 'too_slow'].sort(), told.toSorted());
  const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'api', 'errors.md'), 'utf8');
  const anchors = [...page.matchAll(/^### ([a-z_]+)$/gm)].map(([, name]) => name as string);
  assert.deepEqual(anchors, told);
});

test('every invalid field is reported with its reason', async () => {
  const refused = await scene.admin.post('/secrets', { kind: 1, expiresAt: -1 });
  assertRefused(refused, 'INVALID_REQUEST');
  assert.deepEqual(
    refused.body.error.details.map(({ path, reason }: Json) => [path, reason]),
    [
      ['name', 'missing'],
      ['kind', 'wrong_type'],
      ['kind', 'unknown_value'],
      ['expiresAt', 'out_of_range'],
    ],
  );
});

test('a URL with an unsupported scheme is rejected with the supported schemes', async () => {
  const path = `/servers/${scene.server.id}`;
  for (const icon of ['ftp://example.com', 'javascript:alert(1)', 'picture.png', 'https://'])
    assert.equal(
      (await scene.admin.patch(path, { icon })).body.error.message,
      'icon: must be an http or https URL',
    );
});

test('a missing field is reported with its alternatives', async () => {
  for (const [path, body, message] of [
    ['/threads', {}, 'channelId: is required without messageId'],
    ['/messages', { content: 'Hello' }, 'channelId: is required without threadId'],
    ['/invites', undefined, 'a body is required. Send a JSON object, {} if it is empty'],
    ['/channels', undefined, 'a body is required. Send a JSON object, {} if it is empty'],
  ] as const) {
    const refused = await scene.admin.post(path, body);
    assertRefused(refused, 'INVALID_REQUEST', path);
    assert.equal(refused.body.error.message, message);
    assert.equal(refused.body.error.details[0].reason, 'missing');
  }
});
