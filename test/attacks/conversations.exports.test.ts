import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openArchive } from '../../server/src/imports/archive.ts';
import { Browser } from '../support/account.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { postTo } from '../support/hookPost.ts';
import { until } from '../support/process.ts';
import { Scene } from '../support/scene.ts';
import { q } from '../support/sources.ts';
import { upload } from '../support/uploads.ts';
import { type Client, type Json, World } from '../support/world.ts';

/** A word that occurs throughout the direct message and nowhere else. */
const MARK = 'zebracrossing';

let world: World;
let scene: Scene;
let folder: string;
let dm: Json;
let secrets: string[];
let ada: Browser;
/** Signed-in people who cannot see the direct message. */
const outsiders: Record<string, Browser> = {};
/** API keys that can start exports of the server, by description. */
const keys: Record<string, Client> = {};

async function joined(fields: object = {}): Promise<{ user: Json; browser: Browser }> {
  const user = await world.user(fields);
  await world.member(scene.server, user);
  return { user, browser: await Browser.of(world, user, scene.server) };
}

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palaver-dm-exports-'));
  world = await World.open({ limits: { '*': 0 }, timers: true });
  scene = await Scene.open(world);
  const { owner, server, admin } = scene;
  const [member, other, blocked, kicked] = [await joined(), await joined(), await joined(), await joined()];
  const operator = await joined({ platformAdmin: true });
  const agent = await world.user({ agent: true });
  const bot = await world.client(server, [], agent);
  Object.assign(outsiders, {
    'the creator': await Browser.of(world, owner, server),
    'a platform admin': operator.browser,
    'a member of other direct messages': other.browser,
    'a blocked member': blocked.browser,
    'a member who was kicked': kicked.browser,
  });
  Object.assign(keys, {
    'a key of the creator': admin,
    'a key of a platform admin': await world.client(server, ['canAdmin'], operator.user),
    'a key of a member of the direct message': await world.client(server, ['canAdmin'], member.user),
    'an agent': await world.client(server, ['canAdmin'], await world.user({ agent: true })),
  });
  ada = member.browser;
  dataOf(await ada.post('/blocks', { userId: blocked.user.id }));
  dataOf(await ada.api.post('/conversations', { userIds: [other.user.id] }));
  const userIds = [agent.id, kicked.user.id];
  dm = dataOf(await ada.api.post('/conversations', { userIds }));
  const members: Json[] = dataOf(await admin.get(`/servers/${server.id}/members?limit=100`));
  await scene.remove(`/server-members/${members.find(({ userId }) => userId === kicked.user.id)?.id}`);
  const file = dataOf(await upload(world, bot, new TextEncoder().encode(MARK), `${MARK}.txt`));
  const content = `${MARK} @here @${owner.username} @${other.user.username}`;
  const place = { channelId: dm.id };
  const message = dataOf(await bot.post('/messages', { ...place, content, attachmentIds: [file.id] }));
  const thread = dataOf(await ada.api.post('/threads', { messageId: message.id, name: MARK }));
  const reply = dataOf(await bot.post('/messages', { threadId: thread.id, content: MARK }));
  dataOf(await ada.api.patch(`/channels/${dm.id}`, { name: MARK }));
  secrets = [MARK, ...[dm, file, message, thread, reply].map(({ id }) => id as string)];
});
after(async () => {
  await world.close();
  await rm(folder, { recursive: true, force: true });
});

/** The names and contents of all files in an archive. */
async function textOf(response: Response): Promise<string> {
  assert.equal(response.status, 200);
  const path = join(folder, `${world.unique('export')}.zip`);
  await writeFile(path, Buffer.from(await response.arrayBuffer()));
  const archive = await openArchive(path);
  try {
    const parts: string[] = [];
    for (const name of archive.paths)
      parts.push(name, Buffer.concat(await Array.fromAsync(await archive.open(name))).toString());
    assert.ok(parts.length > 2);
    return parts.join('\n');
  } finally {
    await archive.close();
  }
}

function assertBlind(text: string, who: string): void {
  for (const secret of secrets) {
    const at = text.indexOf(secret);
    assert.equal(at, -1, `${who}: ${text.slice(Math.max(0, at - 300), at + 300)}`);
  }
}

async function done(read: () => Promise<Json>): Promise<void> {
  let state = 'running';
  await until(async () => {
    await world.node.clock?.look();
    ({ state } = await read());
    return state !== 'running';
  });
  assert.equal(state, 'done');
}

test("a server's exports contain nothing from direct messages", async () => {
  const path = `/servers/${scene.server.id}/exports`;
  for (const [who, client] of Object.entries(keys)) {
    const { id } = dataOf(await client.post(path, {}), who);
    await done(async () => dataOf(await client.get(`/exports/${id}`)));
    const headers = { authorization: `Bearer ${client.key}` };
    assertBlind(await textOf(await fetch(`${world.url}/api/v1/exports/${id}/content`, { headers })), who);
    const refused = await client.post(path, { channelId: dm.id });
    assertRefused(refused, 'INVALID_REQUEST', who, 'channelId');
    assertBlind(JSON.stringify(refused.body).replaceAll(dm.id, ''), who);
  }
});

/** The text of a person's export of their own data. */
async function ownExport(browser: Browser): Promise<string> {
  const { id } = dataOf(await browser.post('/exports'));
  await done(async () => dataOf(await browser.get(`/exports/${id}`)));
  const headers = { 'palaver-server': 'none', cookie: browser.cookie };
  return textOf(await fetch(`${world.url}/api/people/exports/${id}/content`, { headers }));
}

test("exports of personal data contain nothing from others' direct messages", async () => {
  for (const [who, browser] of Object.entries(outsiders)) {
    // A former member knows the id of the direct message.
    const known = who.includes('kicked') ? dm.id : '-';
    assertBlind((await ownExport(browser)).replaceAll(known, ''), who);
    const headers = { 'palaver-server': 'none', cookie: browser.cookie };
    const lines = await fetch(`${world.url}/api/people/export`, { headers });
    assert.equal(lines.status, 200, who);
    assertBlind((await lines.text()).replaceAll(known, ''), who);
  }
  assert.match(await ownExport(ada), new RegExp(MARK), 'a member has it, which proves that the test works');
});

test('an incoming webhook cannot post to a direct message', async () => {
  const { id: channelId } = await scene.channel();
  const hook = dataOf(await scene.admin.post('/webhooks', { direction: 'in', channelId, name: 'Build' }));
  const [, , messageId, threadId] = secrets.slice(1);
  const before = dataOf(await ada.api.get(`/channels/${dm.id}/messages`));
  const fields = { channelId: dm.id, channel: dm.id, channel_id: dm.id, thread_ts: messageId };
  const body = { content: 'Hi', text: 'Hi', threadId, thread_id: threadId, replyToId: messageId, ...fields };
  for (const path of ['', `?thread_id=${threadId}`, `?channelId=${dm.id}`, `?threadId=${threadId}`])
    assertBlind((await postTo(world, `${hook.path}${path}`, body)).text, path);
  assert.deepEqual(dataOf(await ada.api.get(`/channels/${dm.id}/messages`)), before);
  const token = hook.path.split('/').at(-1);
  for (const path of [`/channels/${dm.id}`, `/channels/${dm.id}/messages`, `/messages/${messageId}`]) {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await world.request('GET', `${world.url}/api/v1${path}`, { headers });
    assert.equal(answer.status, 401, path);
    assertBlind(JSON.stringify(answer.body), path);
  }
});

test('only members get notifications from a direct message', async () => {
  const rows = q.selectFrom('notification').select(['userId', 'type']).where('channelId', '=', dm.id);
  const told = await world.data.db.read.all(rows);
  assert.ok(told.length > 0);
  for (const { userId, type } of told) assert.ok(dm.memberIds.includes(userId), type);
  for (const [who, browser] of Object.entries(outsiders)) {
    const { body } = await browser.api.get('/notifications?excerpts=true');
    assertBlind(JSON.stringify(body), who);
  }
});
