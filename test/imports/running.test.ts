import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Browser } from '../support/account.ts';
import { zipOf, zipped } from '../support/archives.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { channelOf, exportOf, grace, idAt } from '../support/moving.ts';
import { Stage, until } from '../support/process.ts';
import { find } from '../support/sources.ts';
import { uploadPart } from '../support/uploads.ts';
import { type Answer, type Client, type Json, World } from '../support/world.ts';

// Imports through a running node: with the command line, and through the API in parts.

const stage = new Stage();
let world: World;
let owner: Json;
let server: Json;
let key: Client;
let browser: Browser;
const now = Date.now();
const channel = channelOf(now - 1_000_000, 'harbour');
const messagesOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    ...{ id: idAt(now - 900_000 + index, index + 1), createdAt: now - 900_000 + index, editedAt: null },
    ...{ channelId: channel.id, creatorId: grace.id, type: 'person', content: `history ${index}` },
  }));
const written = (folder: string, count: number) =>
  exportOf(join(folder, 'export'), { people: [grace], channels: [channel], messages: messagesOf(count) });

before(async () => {
  world = await World.open({ limits: { '*': 0 }, timers: true });
  owner = await world.user({ username: 'owner' });
  server = await world.server(owner);
  const root = await world.user({ platformAdmin: true });
  key = await world.client(server, ['canViewData'], root);
  browser = await Browser.of(world, root);
});
after(async () => {
  await world.close();
  await stage.close();
});

const through = async (folder: string, ...args: string[]) => {
  const ran = await stage.run(
    ['import', folder, '--from', 'palaver', ...args, '--json', '--url', world.url],
    { PALAVER_KEY: key.key },
  );
  return { ...ran, report: ran.stdout.startsWith('{') ? (JSON.parse(ran.stdout) as Json) : undefined };
};
const left = () =>
  existsSync(world.data.files.working) ? readdirSync(world.data.files.working, { recursive: true }) : [];
const stored = () => world.data.db.read.all(find('importPart', {}));

test('a folder is imported through a running node, after a dry run with the same report', async () => {
  const folder = written(stage.folder(), 500);
  const member = await world.client(server, ['canAdmin'], owner);
  const cursor = (await member.get('/events?wait=0')).body.nextCursor;
  const planned = await through(folder, '--server', server.id, '--dry-run');
  assert.equal(planned.code, 0, planned.stderr);
  assert.deepEqual([planned.report?.messages.found, planned.report?.messages.written], [500, 500]);
  assert.deepEqual(dataOf(await browser.get('/platform/imports')), [], 'a dry run leaves nothing behind');
  const done = await through(folder, '--server', server.id);
  assert.deepEqual([done.code, done.report], [0, planned.report], done.stderr);
  const events: Json[] = (await member.get(`/events?cursor=${cursor}`)).body.data;
  const finished = events.filter(({ type }) => type === 'import.finished');
  assert.deepEqual(
    finished.map(({ data }) => [data.source, data.messages]),
    [['palaver', 500]],
  );
  const again = await through(folder, '--server', server.id);
  assert.deepEqual([again.code, again.report?.messages.present], [0, 500], again.stderr);
  const found = dataOf(await member.get(`/channels/${channel.id}/messages?limit=2`));
  assert.equal(found[0].content, 'history 499');
  assert.deepEqual([left(), await stored()], [[], []]);
});

test('an import creates a server with a name and an owner', async () => {
  const folder = written(stage.folder(), 3);
  const done = await through(folder, '--new-server', 'Harbour', '--owner', 'owner');
  assert.equal(done.code, 0, done.stderr);
  const made = await world.data.db.read.first(find('server', { id: done.report?.server }));
  assert.deepEqual([made?.name, made?.creatorId], ['Harbour', owner.id]);
  const [listed] = dataOf(await browser.get('/platform/imports'));
  assert.deepEqual([listed.state, listed.asPlanned, listed.serverId], ['done', true, made?.id]);
});

const part = (id: string, offset: number | string, bytes: Buffer, by = key): Promise<Answer> =>
  uploadPart(world, by, id, bytes, offset);
const ended = async (id: string, state: string): Promise<Json> => {
  let found: Json = {};
  await until(async () => {
    found = dataOf(await browser.get(`/platform/imports/${id}`));
    return found.state !== 'running';
  });
  assert.equal(found.state, state, found.failure);
  return found;
};

test('an archive is uploaded in parts, and resumes where it stopped', async () => {
  const archive = zipped({ 'not/one.json': randomBytes(3_000).toString('hex') });
  const body = { source: 'slack', serverId: server.id, bytes: archive.length };
  const { id } = dataOf(await browser.post('/platform/imports', body));
  assertRefused(await browser.post(`/platform/imports/${id}/start`, {}), 'INVALID_REQUEST');
  const half = archive.subarray(0, 2_000);
  assert.equal((await part(id, 0, half)).status, 200);
  const repeated = await part(id, 0, half);
  assert.equal(repeated.body.error.details[0].offset, 2_000);
  assert.equal((await part(id, 1_000, half)).body.error.details[0].offset, 2_000);
  assert.equal((await part(id, 'x', half)).status, 400);
  assert.equal((await part(id, 2_000, archive)).status, 400, 'more than was announced');
  const complete = await part(id, 2_000, archive.subarray(2_000));
  assert.deepEqual([complete.data.state, complete.data.received], ['ready', archive.length]);
  dataOf(await browser.post(`/platform/imports/${id}/start`, { dryRun: true }));
  const { failure } = await ended(id, 'failed');
  assert.notEqual(failure, null);
  assert.deepEqual([left(), await stored()], [[], []]);
  assertRefused(await browser.post(`/platform/imports/${id}/start`, {}), 'INVALID_REQUEST');
});

test('a part that is repeated with its idempotency key gets the first response, and leaves no file', async () => {
  const archive = zipped({ 'not/one.json': randomBytes(3_000).toString('hex') });
  const body = { source: 'slack', serverId: server.id, bytes: archive.length };
  const { id } = dataOf(await browser.post('/platform/imports', body));
  const send = (offset: number, bytes: Buffer, keyed: string) =>
    uploadPart(world, key, id, bytes, offset, { 'idempotency-key': keyed });
  const [half, rest] = [archive.subarray(0, 2_000), archive.subarray(2_000)];
  const first = await send(0, half, 'first');
  assert.deepEqual(dataOf(first).received, 2_000);
  const last = await send(2_000, rest, 'last');
  assert.equal(dataOf(last).state, 'ready');
  for (const [offset, bytes, keyed, answer] of [
    [0, half, 'first', first],
    [2_000, rest, 'last', last],
  ] as const) {
    const again = await send(offset, bytes, keyed);
    assert.equal(again.headers.get('idempotency-replayed'), 'true');
    assert.deepEqual(again.body, answer.body);
    assert.equal((await send(offset, Buffer.from('other'), keyed)).body.error.code, 'INVALID_REQUEST');
  }
  assert.equal((await stored()).filter(({ importId }) => importId === id).length, 2);
  await world.tidy();
  assert.deepEqual(await world.data.db.read.all(find('fileRemoval', {})), []);
  dataOf(await browser.send('DELETE', `/platform/imports/${id}`));
  await world.tidy();
});

test('hostile archives are rejected, and nothing is left behind', async () => {
  const channels = async () => (await world.data.db.read.all(find('channel', {}))).length;
  const before = await channels();
  for (const [archive, sha256] of [
    [zipOf([{ name: '../evil.json', content: '{}' }]), undefined],
    [zipped({ 'channels.json': '[]' }), '0'.repeat(64)],
    [randomBytes(1_000), undefined],
  ] as const) {
    const body = { source: 'slack', newServer: 'Evil', owner: 'owner', bytes: archive.length, sha256 };
    const { id } = dataOf(await browser.post('/platform/imports', body));
    assert.equal((await part(id, 0, archive)).status, 200);
    dataOf(await browser.post(`/platform/imports/${id}/start`, {}));
    await ended(id, 'failed');
  }
  assert.equal(await channels(), before);
  assert.equal(await world.data.db.read.first(find('server', { name: 'Evil' })), undefined);
  assert.deepEqual([left(), await stored()], [[], []]);
});

test('only platform admins can import, within limits', async () => {
  const body = { source: 'slack', serverId: server.id, bytes: 10 };
  const admin = await world.client(server, ['canAdmin'], owner);
  const byOwner = await Browser.of(world, owner, server);
  const { id } = dataOf(await browser.post('/platform/imports', body));
  for (const [method, path] of [
    ['GET', ''],
    ['POST', ''],
    ['GET', `/${id}`],
    ['POST', `/${id}/start`],
    ['DELETE', `/${id}`],
  ] as const) {
    const given = method === 'POST' ? body : undefined;
    const url = `${world.url}/api/people/platform/imports${path}`;
    const headers = { authorization: `Bearer ${admin.key}` };
    assertRefused(await world.request(method, url, { body: given, headers }), 'FORBIDDEN', path);
    assertRefused(await byOwner.send(method, `/platform/imports${path}`, given), 'FORBIDDEN', path);
    assertRefused(await new Browser(world).send(method, `/platform/imports${path}`, given), 'UNAUTHORIZED');
  }
  assert.equal((await part(id, 0, Buffer.alloc(10), admin)).status, 403);
  for (const [bad, code] of [
    [{ ...body, bytes: 1e15 }, 'INVALID_REQUEST'],
    [{ ...body, source: 'irc' }, 'INVALID_REQUEST'],
    [{ ...body, newServer: 'Both', owner: 'owner' }, 'INVALID_REQUEST'],
    [{ ...body, serverId: undefined, newServer: 'One' }, 'INVALID_REQUEST'],
    [{ ...body, serverId: undefined, newServer: 'One', owner: 'nobody' }, 'NOT_FOUND'],
    [{ ...body, serverId: id }, 'NOT_FOUND'],
  ] as const)
    assertRefused(await browser.post('/platform/imports', bad), code);
  for (let count = 1; count < 10; count++) dataOf(await browser.post('/platform/imports', body));
  assertRefused(await browser.post('/platform/imports', body), 'INVALID_REQUEST');
  for (const one of dataOf(await browser.get('/platform/imports')))
    dataOf(await browser.send('DELETE', `/platform/imports/${one.id}`));
});

test('members who left or were removed are not added again', async () => {
  const folder = written(stage.folder(), 3);
  const home = await world.server(owner);
  assert.equal((await through(folder, '--server', home.id)).code, 0);
  const admin = await world.client(home, ['canAdmin'], owner);
  const members = dataOf(await admin.get(`/servers/${home.id}/members`)) as Json[];
  const imported = members.find(({ userId }) => userId !== owner.id);
  dataOf(await admin.delete(`/server-members/${imported?.id}`));
  const again = await through(folder, '--server', home.id);
  assert.equal(again.code, 0, again.stderr);
  assert.equal(dataOf(await admin.get(`/servers/${home.id}/members`)).length, members.length - 1);
});
