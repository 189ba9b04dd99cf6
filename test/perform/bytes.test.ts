import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { invalid } from '../../server/src/errors.ts';
import { download } from '../../server/src/operations/download.ts';
import { body, oneOf, optional, record, text } from '../../server/src/operations/fields.ts';
import type { Operation } from '../../server/src/operations/perform.ts';
import { upload } from '../../server/src/operations/upload.ts';
import { type Client, type Json, World } from '../support/world.ts';

// Tests uploads and downloads over HTTP with operations that this file defines.

const MAX_BYTES = 100_000;
/** Stored bytes by key, and the discarded keys. */
const stored = new Map<string, Buffer>();
const discarded: string[] = [];
let received = 0;

const common = {
  resource: 'app',
  verb: 'insert',
  summary: 'Keep a file',
  maxBytes: MAX_BYTES,
  answer: record('Kept', { name: text({ max: 100 }), type: text({ max: 100 }), note: text({ max: 100 }) }),
} as const;

const keep = upload({
  ...common,
  operation: 'fileKeep',
  path: '/files',
  takes: ['multipart/form-data', 'image/png', 'application/octet-stream'],
  body: body({ note: optional(text({ max: 10 })) }),
  target: async ({ principal }) => ({ serverId: principal.serverId as string }),
  async receive(_call, { bytes, type, name }) {
    received++;
    const all = await buffer(bytes);
    if (all.length === 0) throw invalid('wrong_form', 'file', 'must not be empty');
    const key = `file-${received}`;
    stored.set(key, all);
    return { key, type, name };
  },
  async run({ newRow }, { body }, _target, { key, type, name }) {
    if (body.note === 'fail') throw invalid('wrong_form', 'note', 'fails');
    return { ...newRow(), key, type, name: name ?? '', note: body.note ?? '' };
  },
  async discard({ key }) {
    stored.delete(key);
    discarded.push(key);
  },
});

const give = download({
  operation: 'fileGive',
  path: '/files/:id',
  tag: 'app',
  summary: 'Give a file',
  visible: 'data',
  type: 'application/octet-stream',
  query: body({ times: optional(oneOf(['once', 'twice'])) }),
  target: ({ principal }) => ({ serverId: principal.serverId }),
  async run(_call, { params, query: { times } }) {
    const content = `file ${params.id} `.repeat(times === 'twice' ? 2 : 1);
    return { type: 'text/plain; charset=utf-8', bytes: Readable.from([content]), length: content.length };
  },
});

const openPage = download({
  operation: 'filePage',
  path: '/open-page',
  tag: 'app',
  summary: 'A page for everybody',
  open: true,
  visible: 'anyone',
  type: 'text/html',
  target: () => ({ serverId: null }),
  run: async () => ({ type: 'text/html; charset=utf-8', bytes: '<p>Hello</p>', cacheControl: 'max-age=60' }),
});

const nosy = download({
  operation: 'fileNosy',
  path: '/nosy-page',
  tag: 'app',
  summary: 'Asks who is there where nobody is known',
  open: true,
  visible: 'anyone',
  type: 'text/plain',
  target: ({ principal }) => ({ serverId: principal.serverId }),
  run: async () => ({ type: 'text/plain', bytes: '' }),
});

let world: World;
let admin: Client;
let nobody: Client;
before(async () => {
  const further: Operation[] = [keep, give, openPage, nosy];
  world = await World.open({ further, limits: { query: 3, '*': 0 } });
  const owner = await world.user();
  const server = await world.server(owner);
  admin = await world.client(server, ['canAdmin'], owner);
  nobody = await world.client(server, []);
});
after(() => world.close());

const post = (
  body: RequestInit['body'],
  headers: Record<string, string> = {},
  client: Client = admin,
): Promise<{ status: number; headers: Headers; body: Json }> =>
  fetch(`${world.url}/api/v1/files`, {
    method: 'POST',
    headers: { authorization: `Bearer ${client.key}`, ...headers },
    body,
    duplex: 'half',
  } as RequestInit).then(async (answer) => ({
    status: answer.status,
    headers: answer.headers,
    body: await answer.json(),
  }));

const form = (bytes: Uint8Array<ArrayBuffer>, fields: Record<string, string> = {}): FormData => {
  const made = new FormData();
  for (const [name, value] of Object.entries(fields)) made.append(name, value);
  made.append('file', new Blob([bytes], { type: 'image/gif' }), 'cat.gif');
  return made;
};

const lastStored = (): Buffer | undefined => stored.get(`file-${received}`);

test('the whole body is a file with the media type of its Content-Type', async () => {
  const bytes = Buffer.alloc(MAX_BYTES, 7);
  const { status, body } = await post(bytes, { 'content-type': 'image/png' });
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual(
    [body.ok, body.data.type, body.data.name, body.data.key],
    [true, 'image/png', '', undefined],
  );
  assert.deepEqual(lastStored(), bytes);
});

test('a form can contain fields, followed by a file with its name', async () => {
  const { status, body } = await post(form(Buffer.from('GIF89a'), { note: 'a cat' }));
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual([body.data.type, body.data.name, body.data.note], ['image/gif', 'cat.gif', 'a cat']);
  assert.equal(lastStored()?.toString(), 'GIF89a');
});

test('a file with a Content-Encoding is rejected without being read', async () => {
  const before = received;
  const { status, body } = await post(Buffer.from('GIF89a'), {
    'content-type': 'image/png',
    'content-encoding': 'gzip',
  });
  assert.equal(status, 400, JSON.stringify(body));
  assert.match(body.error.message, /Content-Encoding/);
  assert.equal(received, before);
});

test('a file that is too large is rejected as a body and in a form, and nothing is stored', async () => {
  const before = stored.size;
  const large = Buffer.alloc(MAX_BYTES + 1);
  for (const answer of [await post(large, { 'content-type': 'image/png' }), await post(form(large))]) {
    assert.deepEqual([answer.status, answer.body.error.code], [400, 'INVALID_REQUEST']);
  }
  assert.equal(stored.size, before);
});

test('a stream without a length is cut off at the same limit', async () => {
  const endless = new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(10_000)),
  });
  const { status, body } = await post(endless, { 'content-type': 'application/octet-stream' });
  assert.deepEqual([status, body.error.code], [400, 'INVALID_REQUEST']);
});

test("a rejected caller's bytes are not stored", async () => {
  const before = received;
  const { status, body } = await post(Buffer.from('x'), { 'content-type': 'image/png' }, nobody);
  assert.deepEqual([status, body.error.code], [403, 'FORBIDDEN']);
  assert.equal(received, before);
});

test('a write that fails after its bytes were stored discards them', async () => {
  const { status, body } = await post(form(Buffer.from('bytes'), { note: 'fail' }));
  assert.deepEqual([status, body.error.message], [400, 'note: fails']);
  assert.ok(discarded.includes(`file-${received}`));
  assert.equal(lastStored(), undefined);
});

test('a repeated upload gets the first response, and one file is kept', async () => {
  const headers = { 'content-type': 'image/png', 'idempotency-key': 'once' };
  const first = await post(Buffer.from('one'), headers);
  const kept = stored.size;
  const again = await post(Buffer.from('one'), headers);
  assert.deepEqual(again.body, first.body);
  assert.equal(again.headers.get('idempotency-replayed'), 'true');
  assert.equal(stored.size, kept);
});

test('form fields are validated; other media types and forms without a file are rejected', async () => {
  const long = await post(form(Buffer.from('x'), { note: 'longer than ten' }));
  assert.deepEqual([long.status, long.body.error.details[0].path], [400, 'note']);
  const other = await post('{}', { 'content-type': 'application/json' });
  assert.deepEqual([other.status, other.body.error.code], [400, 'INVALID_REQUEST']);
  const empty = new FormData();
  empty.append('note', 'none');
  const without = await post(empty);
  assert.deepEqual([without.status, without.body.error.message], [400, 'file: is required']);
});

test('a download returns the bytes with their media type to callers who can see its target', async () => {
  const id = '01900000-0000-7000-8000-000000000000';
  const ask = (client: Client, query = '') =>
    fetch(`${world.url}/api/v1/files/${id}${query}`, { headers: { authorization: `Bearer ${client.key}` } });
  const given = await ask(admin, '?times=twice');
  assert.deepEqual(
    [given.status, given.headers.get('content-type'), given.headers.get('content-length')],
    [200, 'text/plain; charset=utf-8', '84'],
  );
  assert.equal(await given.text(), `file ${id} file ${id} `);
  assert.equal((await ask(admin, '?times=often')).status, 400);
  const refused = await ask(nobody);
  assert.deepEqual([refused.status, ((await refused.json()) as Json).error.code], [403, 'FORBIDDEN']);
});

test('a public operation needs no key, is limited by address, and has no principal', async () => {
  const ask = (path: string) => fetch(`${world.url}/api/v1/${path}`);
  const given = await ask('open-page');
  assert.deepEqual([given.status, await given.text()], [200, '<p>Hello</p>']);
  assert.equal(given.headers.get('cache-control'), 'max-age=60');
  assert.match(given.headers.get('ratelimit') ?? '', /^"query";r=2/);
  const failed = await ask('nosy-page');
  assert.deepEqual([failed.status, ((await failed.json()) as Json).error.code], [500, 'INTERNAL_ERROR']);
  await ask('open-page');
  assert.equal((await ask('open-page')).status, 429);
});

test('the OpenAPI document describes uploads and downloads, and requires no key where none is needed', async () => {
  const { paths } = (await world.request('GET', `${world.url}/openapi.json`)).body;
  const { requestBody } = paths['/api/v1/files'].post;
  assert.deepEqual(Object.keys(requestBody.content), keep.row.takes);
  assert.deepEqual(Object.keys(paths['/api/v1/files/{id}'].get.responses[200].content), [
    'application/octet-stream',
  ]);
  assert.deepEqual(paths['/api/v1/open-page'].get.security, []);
});
