// Files and unusual texts in incoming webhook bodies.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { dataOf } from '../support/expect.ts';
import { type Answered, assertNotTaken, Hook, postTo } from '../support/hookPost.ts';
import { find } from '../support/sources.ts';
import { type Json, World } from '../support/world.ts';

let hook: Hook;
before(async () => {
  hook = await Hook.open(await World.open());
});
after(() => hook.world.close());

const latest = async (): Promise<Json> => (await hook.messages(1))[0] as Json;

interface FormOptions {
  suffix?: string;
  headers?: Record<string, string>;
  path?: string;
}

/** Posts a multipart form, as Discord's clients do. A list is a file: its name and its text. */
async function postForm(
  fields: Record<string, string | readonly [name: string, text: string]>,
  { suffix = '', headers = {}, path = hook.made.path }: FormOptions = {},
): Promise<Answered> {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields))
    if (typeof value === 'string') body.append(name, value);
    else body.append(name, new Blob([value[1]]), value[0]);
  const answer = await fetch(hook.world.url + path + suffix, { method: 'POST', body, headers });
  return { status: answer.status, type: answer.headers.get('content-type') ?? '', text: await answer.text() };
}

/** The files that nobody has sent yet. */
const unsent = () => hook.world.data.db.read.all(find('attachment', { messageId: null }));

test('files alone become a message with attachments', async () => {
  for (const suffix of ['', '/discord']) {
    const answer = await postForm(
      { 'files[0]': ['log.txt', 'one'], 'files[1]': ['more.csv', 'a,b\n1,2'] },
      { suffix },
    );
    assert.equal(answer.status, suffix === '' ? 200 : 204, answer.text);
    const { content, attachments } = await latest();
    assert.equal(content, '');
    assert.deepEqual(
      attachments.map(({ name, bytes }: Json) => [name, bytes]),
      [
        ['log.txt', 3],
        ['more.csv', 7],
      ],
    );
    const bytes = await hook.scene.admin.get(`/attachments/${attachments[0].id}/content`);
    assert.equal(bytes.body, 'one');
  }
});

test('files are sent with the content, and are in the response to ?wait=true, regardless of the URL', async () => {
  const payload = JSON.stringify({
    content: 'The log',
    embeds: [{ title: 'Build', image: { url: 'attachment://log.txt' } }],
    attachments: [{ id: 0, filename: 'log.txt' }],
  });
  for (const suffix of ['?wait=true', '/discord?wait=true']) {
    const answer = await postForm({ payload_json: payload, file: ['log.txt', 'one'] }, { suffix });
    assert.equal(answer.status, 200, answer.text);
    const message = await latest();
    assert.equal(message.content, 'The log\n\nBuild');
    const { id, attachments } = JSON.parse(answer.text);
    assert.equal(id, message.id);
    const [{ url, ...shown }] = attachments;
    const [{ id: fileId }] = message.attachments;
    assert.deepEqual([shown.id, shown.filename, shown.size], [fileId, 'log.txt', 3]);
    assert.equal(url, `${hook.world.url}/api/v1/attachments/${fileId}/content`);
  }
  const plain = await postTo(hook.world, `${hook.made.path}?wait=true`, { content: 'Hello' });
  assert.equal(JSON.parse(plain.text).content, 'Hello');
  assert.equal((await postTo(hook.world, `${hook.made.path}/slack?wait=true`, { text: 'Hello' })).text, 'ok');
});

test('a repeated request with files and an Idempotency-Key sends them once', async () => {
  const headers = { 'idempotency-key': 'files 1' };
  const first = await postForm({ file: ['a.txt', 'one'] }, { headers, suffix: '?wait=true' });
  const again = await postForm({ file: ['a.txt', 'one'] }, { headers, suffix: '?wait=true' });
  assert.deepEqual(
    [again.status, JSON.parse(again.text).attachments],
    [200, JSON.parse(first.text).attachments],
  );
  assert.equal((await hook.messages(2)).filter(({ id }) => id === JSON.parse(first.text).id).length, 1);
  assertNotTaken(await postForm({ file: ['a.txt', 'two'] }, { headers }), 'INVALID_REQUEST');
});

test('a form with too many files, an empty one, or none is rejected, and empty fields are ignored', async () => {
  const newest = await hook.newest();
  const files = Object.fromEntries(
    Array.from({ length: 11 }, (_, index) => [`f${index}`, ['a.txt', `${index}`] as const]),
  );
  assertNotTaken(await postForm(files), 'INVALID_REQUEST');
  assertNotTaken(await postForm({ other: 'x' }), 'INVALID_REQUEST');
  assertNotTaken(await postForm({ file: ['a.txt', ''] }), 'INVALID_REQUEST');
  assert.equal(await hook.newest(), newest);
  assert.equal((await postForm({ file: ['', ''], text: 'none chosen' })).text, 'ok');
  const { content, attachments } = await latest();
  assert.deepEqual([content, attachments], ['none chosen', undefined]);
});

test('files for a rejected message are deleted', async () => {
  const channel = await hook.scene.channel();
  const role = await hook.scene.role({ canEditApp: true, canEditData: true });
  const maker = await hook.world.clientWithRole(hook.scene.server, role);
  const { path } = dataOf(await maker.post('/webhooks', { direction: 'in', channelId: channel.id }));
  assert.equal((await postForm({ file: ['a.txt', 'one'] }, { path })).text, 'ok');
  dataOf(await hook.scene.admin.patch(`/channels/${channel.id}`, { readonly: true }));
  assertNotTaken(await postForm({ file: ['a.txt', 'two'] }, { path }), 'FORBIDDEN');
  assert.deepEqual(await unsent(), []);
});

test('U+0000 and unpaired surrogates anywhere in a body are rejected', async () => {
  const newest = await hook.newest();
  const bodies = [
    '{"text": "x", "other": "\\u0000"}',
    '{"text": "x", "other": ["a", {"deep": "\\ud800"}]}',
    '{"text": "x", "other\\udc00": 1}',
    '{"text": "x", "a\\u0000": 1}',
  ];
  for (const body of bodies) {
    const answer = await hook.post(body);
    assertNotTaken(answer, 'INVALID_REQUEST');
    assert.equal(JSON.parse(answer.text).error.details[0].reason, 'bad_text', body);
  }
  const form = 'application/x-www-form-urlencoded';
  for (const body of [
    'text=x&other=%00',
    'text=x&other=%FF',
    `payload=${encodeURIComponent(bodies[1] as string)}`,
  ])
    assertNotTaken(await hook.post(body, { 'content-type': form }), 'INVALID_REQUEST');
  assert.equal(await hook.newest(), newest);
  // A replacement character that the sender wrote is accepted.
  assert.equal((await hook.post('text=%EF%BF%BD%20x', { 'content-type': form })).text, 'ok');
  assert.equal((await hook.post('{"text": "\\ud83d\\ude00 \\\\u0000"}')).text, 'ok');
  assert.equal((await latest()).content, '😀 \\u0000');
});

test('all digits of a long integer are shown', async () => {
  const body = '{"specversion":"1.0","type":"t","source":"s","data":{"id":12345678901234567890,"n":[1,2.5]}}';
  await hook.post(body);
  assert.match((await latest()).content, /"id": "12345678901234567890"/);
});
