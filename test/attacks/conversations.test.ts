import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pathOf, requestOf, type WriteRow, writes } from '../rows/index.ts';
import { Browser } from '../support/account.ts';
import { readsOf } from '../support/allReads.ts';
import { DirectScene } from '../support/directScene.ts';
import { EventStream } from '../support/eventStream.ts';
import { dataOf } from '../support/expect.ts';
import { png } from '../support/pictures.ts';
import { until } from '../support/process.ts';
import { Receiver } from '../support/receiver.ts';
import { Scene } from '../support/scene.ts';
import { upload } from '../support/uploads.ts';
import { type Answer, type Client, type Json, World } from '../support/world.ts';

/** Number of direct messages whose records are probed. PALAVER_TEST_ROUNDS multiplies it. */
const ROUNDS = Number(process.env.PALAVER_TEST_ROUNDS ?? 2);
/** A word that occurs throughout the direct messages and nowhere else. */
const MARK = 'zebracrossing';

/** Somebody who is not in the direct messages. */
interface Outsider {
  who: string;
  send(method: string, path: string, body?: object): Promise<Answer>;
  stream: EventStream | undefined;
}

/** A direct message and its records, by collection. */
type Target = Record<string, Json>;

let world: World;
let home: Scene;
let scene: DirectScene;
let receiver: Receiver;
let document: Json;
/** A member in all direct messages. */
let ada: Browser;
const outsiders: Outsider[] = [];
const targets: Target[] = [];
let probes = 0;

const withKey = async (who: string, client: Client): Promise<Outsider> => ({
  who,
  send: (method, path, body) =>
    world.request(method, `${world.url}${path}`, {
      headers: { authorization: `Bearer ${client.key}` },
      ...(body && { body }),
    }),
  stream: await EventStream.open(world, client.key),
});

const inPerson = async (who: string, user: Json): Promise<Outsider> => {
  const browser = await Browser.of(world, user, home.server);
  return {
    who,
    send: (method, path, body) => browser.send(method, path, body, {}, ''),
    stream: await browser.stream(),
  };
};

async function member(): Promise<Json> {
  const user = await world.user();
  await world.member(home.server, user);
  return user;
}

before(async () => {
  world = await World.open({ limits: { '*': 0 }, webhooks: {}, privateWebhooks: true });
  home = await Scene.open(world);
  scene = await DirectScene.within(home);
  document = (await world.request('GET', `${world.url}/openapi.json`)).body;
  receiver = await Receiver.open();
  const { owner, server, admin } = home;
  await home.webhook({ url: receiver.url });
  const flags = ['canAdmin'] as const;
  const operator = await world.user({ platformAdmin: true });
  await world.member(server, operator);
  const [kicked, blocked, person, other] = [await member(), await member(), await member(), await member()];
  outsiders.push(
    await withKey('a key of the creator with canAdmin', admin),
    await inPerson('the creator', owner),
    await withKey('a key of a platform admin with canAdmin', await world.client(server, flags, operator)),
    await inPerson('a platform admin', operator),
    await withKey(
      'an agent with canAdmin',
      await world.client(server, flags, await world.user({ agent: true })),
    ),
    await withKey(
      'an agent with every other flag',
      await world.client(server, [
        'canModerate',
        'canEditApp',
        'canViewData',
        'canEditData',
        'canEditServer',
        'canEditChannel',
      ]),
    ),
    await withKey('a key of a member of the direct message', await world.client(server, flags, person)),
    await inPerson('a member of other direct messages', other),
    await inPerson('a blocked member', blocked),
    await inPerson('a member who will be kicked', kicked),
    await withKey('the admin of another server', (await Scene.open(world)).admin),
  );
  ada = await Browser.of(world, person, server);
  dataOf(await ada.post('/blocks', { userId: blocked.id }));
  await scene.make('/conversations', { userIds: [other.id, blocked.id] });
  for (let round = 0; round < ROUNDS; round++) {
    const userIds = [person.id, ...(round % 2 === 0 ? [] : [(await member()).id])];
    const extra = round === 0 ? [kicked.id] : round === 1 ? [] : [(await member()).id];
    targets.push(await fill(await scene.make('/conversations', { userIds: [...userIds, ...extra] })));
  }
  const members: Json[] = dataOf(await admin.get(`/servers/${server.id}/members?limit=100`));
  const membership = members.find(({ userId }) => userId === kicked.id);
  await home.remove(`/server-members/${membership?.id}`);
  // Everything from here on happens after the removal.
  for (const target of targets) Object.assign(target, await fill(target.channels));
  for (const { stream } of outsiders) if (stream) stream.blocks.length = 0;
});
after(async () => {
  for (const { stream } of outsiders) stream?.close();
  await receiver?.close();
  await world.close();
});

/** Creates records of many kinds in a direct message, some by an agent and some by a person. */
async function fill(dm: Json): Promise<Target> {
  const place = { channelId: dm.id };
  const edited = dataOf(await ada.api.post('/messages', { ...place, content: `${MARK} before` }));
  dataOf(await ada.api.patch(`/messages/${edited.id}`, { content: `${MARK} after` }));
  const deleted = dataOf(await ada.api.post('/messages', { ...place, content: `${MARK} deleted` }));
  dataOf(await ada.api.delete(`/messages/${deleted.id}`));
  const file = dataOf(await upload(world, scene.admin, Buffer.from(png(8, 8)), `${MARK}.png`));
  const message = await scene.make('/messages', { ...place, content: MARK, attachmentIds: [file.id] });
  const thread = await scene.make('/threads', { messageId: message.id, name: `${MARK} thread` });
  dataOf(await ada.api.post('/messages', { threadId: thread.id, content: `${MARK} reply` }));
  const pin = await scene.make('/pins', { messageId: message.id });
  const reaction = dataOf(await ada.api.post('/reactions', { messageId: message.id, emoji: '🦓' }));
  dataOf(await ada.api.post('/indicators', { type: 'typing', ...place }));
  dataOf(await ada.post('/drafts', { ...place, content: `${MARK} draft` }));
  const due = { ...place, content: `${MARK} later`, dueAt: world.data.deps.now() + 3_600_000 };
  const scheduled = dataOf(await ada.post('/scheduled-messages', due));
  const saved = dataOf(await ada.post('/saved', { messageId: message.id }));
  dataOf(await ada.api.patch(`/channels/${dm.id}`, { name: `${MARK} group` }));
  return {
    channels: dm,
    conversations: dm,
    messages: message,
    threads: thread,
    pins: pin,
    reactions: reaction,
    attachments: file,
    'scheduled-messages': scheduled,
    saved,
    servers: home.server,
    users: { id: dm.memberIds[0] },
  };
}

/** The ids of all records in a direct message. */
const secretsOf = ({ servers: _servers, users: _users, ...target }: Target): string[] =>
  Object.values(target).map(({ id }) => id as string);

/** Asserts that a response reveals nothing about a direct message. An error may repeat ids from the request. */
function assertBlind(answer: Answer, target: Target, what: string): void {
  probes++;
  const text = JSON.stringify(answer.body);
  assert.ok(answer.status < 500, `${what}: ${answer.status} ${text}`);
  assert.ok(!text.includes(MARK), `${what}: ${text.slice(0, 1_000)}`);
  if (answer.status >= 400) return;
  for (const id of secretsOf(target)) assert.ok(!text.includes(id), `${what}: ${text.slice(0, 1_000)}`);
}

test('no read reveals anything about a direct message to users who are not members', async () => {
  for (const target of targets) {
    const paths = readsOf(document, target, MARK);
    assert.ok(paths.length > 80, `${paths.length} reads`);
    for (const path of paths)
      for (const { who, send } of outsiders)
        assertBlind(await send('GET', path), target, `${who}: GET ${path}`);
  }
});

test('members see the direct message in these reads, which proves that the probes work', async () => {
  const [target] = targets as [Target];
  const showing: string[] = [];
  for (const path of readsOf(document, target, MARK)) {
    const answer = await ada.send('GET', path, undefined, {}, '');
    if (answer.status === 200 && JSON.stringify(answer.body).includes(MARK)) showing.push(path);
  }
  assert.ok(showing.length > 20, showing.join('\n'));
});

test('non-members cannot get the files in a direct message', async () => {
  for (const target of targets) {
    const path = `/attachments/${target.attachments?.id}/content`;
    for (const { who, send } of outsiders) {
      const { status } = await send('GET', `/api/v1${path}`);
      assert.ok([401, 403, 404].includes(status), `${who}: ${path} ${status}`);
      probes++;
    }
  }
});

/** The writes to a channel and to the records in it. */
const nouns = ['message', 'thread', 'pin', 'reaction', 'report', 'channel', 'attachment'];
const within = writes.filter(
  ({ noun, name }) => nouns.includes(noun.name) && !['channelInsert', 'reportClose'].includes(name),
);

async function bodiesOf(row: WriteRow, target: Target): Promise<{ path: string; body: object | undefined }> {
  if (row.noun.name === 'channel') return { path: `/channels/${target.channels?.id}`, body: { name: MARK } };
  const { id, body } = await requestOf(row, scene.in(target.channels as Json));
  return { path: pathOf(row, id), body };
}

test('writes by non-members neither change a direct message nor reveal anything about it', async () => {
  const [target] = targets as [Target];
  for (const row of within) {
    const { path, body } = await bodiesOf(row, target);
    const before = await shown(target);
    for (const { who, send } of outsiders) {
      const answer = await send(row.method, `/api/v1${path}`, row.method === 'DELETE' ? undefined : body);
      const what = `${who}: ${row.name}`;
      assert.ok([400, 401, 403, 404].includes(answer.status), `${what} ${answer.status}`);
      assertBlind(answer, target, what);
    }
    assert.deepEqual(await shown(target), before, row.name);
  }
});

test('records outside a direct message cannot reference it or its contents', async () => {
  for (const target of targets) {
    const { id: channelId } = target.channels as Json;
    const { id: messageId } = target.messages as Json;
    const open = await home.channel();
    const bodies: [string, object][] = [
      ['/api/v1/messages', { channelId: open.id, content: 'Look', replyToId: messageId }],
      ['/api/v1/messages', { channelId: open.id, content: 'Look', attachmentIds: [target.attachments?.id] }],
      ['/api/v1/webhooks', { url: 'https://example.com/hook', channelId }],
      ['/api/v1/apps', { name: world.unique('app'), channelId }],
      ['/api/people/saved', { messageId }],
      ['/api/people/drafts', { channelId, content: 'Mine' }],
      ['/api/people/read', { marks: [{ channelId, messageId }] }],
      ['/api/people/scheduled-messages', { channelId, content: 'Hi', dueAt: world.data.deps.now() + 60_000 }],
    ];
    for (const [path, body] of bodies) {
      for (const { who, send } of outsiders) {
        assertBlind(await send('POST', path, body), target, `${who}: POST ${path} ${JSON.stringify(body)}`);
      }
    }
  }
});

/** The direct message as its members see it. */
async function shown(target: Target): Promise<unknown> {
  const { id } = target.channels as Json;
  const paths = [
    `/channels/${id}`,
    `/channels/${id}/messages?limit=100`,
    `/channels/${id}/pins`,
    `/channels/${id}/threads`,
  ];
  return Promise.all(paths.map(async (path) => (await scene.admin.get(path)).body.data));
}

test('no event from a direct message reached a non-member by stream, page or webhook', async () => {
  // The last event, which everybody in the server gets.
  const last = await home.channel({ name: 'last of all' });
  const { id } = last;
  await receiver.got(1);
  for (const { who, stream } of outsiders) {
    const isElsewhere = who.includes('another server') || who.includes('kicked');
    if (!isElsewhere) await until(() => stream?.events.some(({ data }) => data.id === id) === true);
    const text = JSON.stringify(stream?.blocks ?? []);
    for (const target of targets)
      for (const secret of [MARK, ...secretsOf(target)])
        assert.ok(!text.includes(secret), `${who}: ${secret}`);
  }
  const delivered = JSON.stringify(receiver.deliveries.map(({ text }) => text));
  assert.ok(receiver.deliveries.length > 0);
  for (const target of targets)
    for (const secret of [MARK, ...secretsOf(target)])
      assert.ok(!delivered.includes(secret), `webhook: ${secret}`);
});

test('the probes cover many requests', () => {
  assert.ok(probes > 500 * ROUNDS, `${probes}`);
  console.log(`${probes} probes by ${outsiders.length} outsiders of ${targets.length} direct messages`);
});
