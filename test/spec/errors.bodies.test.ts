import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertRefused, dataOf } from '../support/expect.ts';
import { Scene } from '../support/scene.ts';
import { type Answer, World } from '../support/world.ts';

let world: World;
let scene: Scene;
before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
});
after(() => world.close());

const KIB_BYTES = 1024;

/** Sends raw bytes to an endpoint that accepts any object. */
function send(raw: string | Uint8Array<ArrayBuffer>, type?: string, method = 'POST'): Promise<Answer> {
  const headers = { authorization: `Bearer ${scene.admin.key}`, ...(type && { 'content-type': type }) };
  return world.request(method, '/invites', { raw, headers });
}

const bytes = (...parts: (string | number[])[]): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(
    parts.flatMap((part) => (typeof part === 'string' ? [...new TextEncoder().encode(part)] : part)),
  );

test('a body needs the media type application/json', async () => {
  for (const type of [
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json; charset="utf-8"',
    'APPLICATION/JSON',
  ]) {
    dataOf(await send('{}', type), type);
  }
  for (const type of [
    'text/plain',
    'text/json',
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/octet-stream',
    'application/jsonp',
    'application/json-seq',
    'application/json.gzip',
    'application/json; charset=utf-16',
    'application/json; charset=iso-8859-1',
    'nonsense',
    '/',
  ]) {
    assertRefused(await send('{}', type), 'INVALID_REQUEST', type);
  }
  assertRefused(await send(bytes('{}')), 'INVALID_REQUEST', 'without a media type');
});

test('a body must be valid JSON', async () => {
  for (const raw of [
    '{',
    '}',
    '{"maxUses":1,}',
    "{'maxUses':1}",
    '{maxUses:1}',
    '{"maxUses":NaN}',
    '{"maxUses":1} {}',
    '{"maxUses":01}',
    '{"a":"\u0001"}',
    'undefined',
    'maxUses=1',
    ' ',
  ]) {
    assertRefused(await send(raw, 'application/json'), 'INVALID_REQUEST', raw);
  }
});

test('a body must be UTF-8', async () => {
  const rows = {
    'a byte that never occurs': bytes('{"a":"', [0xff], '"}'),
    'a truncated sequence': bytes('{"a":"', [0xe2, 0x82], '"}'),
    'an overlong encoding': bytes('{"a":"', [0xc0, 0xaf], '"}'),
    'a surrogate': bytes('{"a":"', [0xed, 0xa0, 0x80], '"}'),
    'Latin-1': bytes('{"a":"', [0xe9], '"}'),
    'UTF-16': Uint8Array.from(Buffer.from('\ufeff{}', 'utf16le')),
  };
  for (const [what, raw] of Object.entries(rows)) {
    assertRefused(await send(raw, 'application/json'), 'INVALID_REQUEST', what);
  }
  dataOf(await send(bytes('{"a":"é€𝒳"}'), 'application/json'));
});

test('a body is limited to 256 KiB', async () => {
  const sized = (size: number): string => `{"padding":"${'x'.repeat(size - 14)}"}`;
  assert.equal(sized(256 * KIB_BYTES).length, 256 * KIB_BYTES);
  dataOf(await send(sized(256 * KIB_BYTES), 'application/json'));
  assertRefused(await send(sized(256 * KIB_BYTES + 1), 'application/json'), 'INVALID_REQUEST');
  assertRefused(await send(sized(1024 * KIB_BYTES), 'application/json'), 'INVALID_REQUEST');
  // The limit counts bytes, not characters.
  assertRefused(
    await send(`{"padding":"${'€'.repeat(100 * KIB_BYTES)}"}`, 'application/json'),
    'INVALID_REQUEST',
  );
});

test('a body can be nested at most 32 levels deep', async () => {
  const objects = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
  const lists = (depth: number): string => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
  for (const nested of [objects, lists]) {
    dataOf(await send(nested(32), 'application/json'));
    assertRefused(await send(nested(33), 'application/json'), 'INVALID_REQUEST');
  }
  assertRefused(await send(objects(20_000), 'application/json'), 'INVALID_REQUEST');
});

test('field names with U+0000 or an unpaired surrogate are rejected', async () => {
  for (const raw of ['{"a\\u0000":1}', '{"\\ud800":1}', '{"a":{"\\udc00":1}}']) {
    assertRefused(await send(raw, 'application/json'), 'INVALID_REQUEST', raw);
  }
});

test('field names with a meaning in JavaScript are unknown fields like any other', async () => {
  for (const raw of [
    '{"__proto__":{"maxUses":5}}',
    '{"constructor":{"prototype":{"maxUses":5}}}',
    '{"prototype":5,"toString":5,"hasOwnProperty":5}',
  ]) {
    const answer = await send(raw, 'application/json');
    assert.equal(dataOf(answer, raw).maxUses, null, raw);
    assert.ok(answer.headers.get('ignored-parameters'), raw);
  }
});

test('numbers that JSON cannot represent exactly are rejected', async () => {
  const app = await scene.app({});
  const send = (number: string) =>
    scene.world.request('POST', `${scene.world.url}/api/v1/app-installs`, {
      raw: `{"appId": "${app.id}", "config": {"deep": [{"number": ${number}}]}}`,
      headers: { authorization: `Bearer ${scene.admin.key}`, 'content-type': 'application/json' },
    });
  for (const number of [
    '9007199254740993',
    '-9007199254740993',
    '12345678901234567890',
    '1e400',
    '9'.repeat(400),
  ]) {
    const answer = await send(number);
    assertRefused(answer, 'INVALID_REQUEST', number, 'config.deep[0].number');
    assert.equal(answer.body.error.details[0].reason, 'out_of_range');
  }
  const numbers = {
    '9007199254740991': Number.MAX_SAFE_INTEGER,
    '1e300': 1e300,
    '0.1234567890123456': 0.1234567890123456,
  };
  for (const [text, number] of Object.entries(numbers)) {
    const { data } = await send(text);
    assert.equal(data.config.deep[0].number, number);
    await scene.admin.delete(`/app-installs/${data.id}`);
  }
});

test('a time in seconds is rejected, with a hint', async () => {
  const seconds = Math.floor(Date.now() / 1000);
  for (const [path, body] of [
    ['/invites', { expiresAt: seconds }],
    ['/secrets', { kind: 'apiKey', name: 'Bot', expiresAt: seconds }],
  ] as const) {
    const answer = await scene.admin.post(path, body);
    assertRefused(answer, 'INVALID_REQUEST', path, 'expiresAt');
    assert.match(answer.body.error.message, /milliseconds/);
  }
  const query = await scene.admin.get(`/channels/${(await scene.channel()).id}/messages?after=${seconds}`);
  assertRefused(query, 'INVALID_REQUEST', 'a query', 'after');
  dataOf(await scene.admin.post('/invites', { expiresAt: seconds * 1000 + 3_600_000 }));
  dataOf(await scene.admin.get(`/channels/${(await scene.channel()).id}/messages?after=0`));
});

test('a malformed or out-of-range query is rejected', async () => {
  const { id } = scene.server;
  const { id: channelId } = await scene.channel();
  const messages = `/channels/${channelId}/messages`;
  for (const path of [
    '/servers?limit=0',
    '/servers?limit=101',
    '/servers?limit=-1',
    '/servers?limit=1.5',
    '/servers?limit=ten',
    '/servers?limit=',
    '/servers?limit=1&limit=2',
    '/servers?limit=null',
    '/servers?limit=0x10',
    '/servers?limit=1e1',
    '/servers?limit=5.0',
    '/servers?limit=%2B5',
    '/servers?limit=%205',
    '/servers?cursor=',
    '/servers?cursor=none',
    '/servers?cursor=a&cursor=b',
    `/servers/${id}/members?q=a&q=b`,
    `/servers/${id}/members?q=%00`,
    '/servers/joinable?q=a%00b',
    `${messages}?order=up`,
    `${messages}?order=ASC`,
    `${messages}?type=robot`,
    `${messages}?isThreadReply=yes`,
    `${messages}?isThreadReply=`,
    `${messages}?after=yesterday`,
    `${messages}?before=1.5`,
    `${messages}?after=-1`,
    `${messages}?q=${'x'.repeat(201)}`,
    '/notifications?unread=maybe',
    '/notifications?unread=',
  ]) {
    assertRefused(await scene.admin.get(path), 'INVALID_REQUEST', path.slice(0, 90));
  }
  const { body } = await scene.admin.get('/servers?limit=0');
  assert.equal(body.error.details[0].path, 'limit');
});

test('the query is validated before its target is looked up', async () => {
  assertRefused(await scene.admin.get('/servers/none/members?limit=0'), 'INVALID_REQUEST');
  assertRefused(await scene.admin.get('/channels/none/messages?order=up'), 'INVALID_REQUEST');
  assertRefused(await scene.admin.get('/channels/none/messages?cursor=none'), 'INVALID_REQUEST');
  assertRefused(await scene.admin.get('/channels/none/messages'), 'NOT_FOUND');
});

test("a delete's body is validated as strictly as any other", async () => {
  const { id } = await scene.invite();
  const call = (raw: string, type: string) =>
    world.request('DELETE', `/invites/${id}`, {
      raw,
      headers: { authorization: `Bearer ${scene.admin.key}`, 'content-type': type },
    });
  for (const raw of [
    '{',
    `{"id":"${id}x"}`,
    '{"id":1}',
    `{"id":"${id}","a":"\\u0000"}`,
    'null',
    '[]',
    `["${id}"]`,
    `"${id}"`,
    '0',
  ]) {
    assertRefused(await call(raw, 'application/json'), 'INVALID_REQUEST', raw);
  }
  assertRefused(await call(JSON.stringify({ id }), 'text/plain'), 'INVALID_REQUEST');
  assert.equal(dataOf(await call('{}', 'application/json')).id, id);
});
