import assert from 'node:assert/strict';
import { inserts, pathOf, reads, requestOf } from '../rows/index.ts';
import { Browser, linkFor } from './account.ts';
import { begin } from './apps.ts';
import { dataOf } from './expect.ts';
import { fillAgents } from './filledAgents.ts';
import { FAR_AHEAD, fillPeople } from './filledPeople.ts';
import { addRun, addStep, addWait } from './rows.ts';
import { Scene } from './scene.ts';
import { change, insert, newRecoveryCodes } from './sources.ts';
import { upload } from './uploads.ts';
import { type Client, type Json, listAll, type World } from './world.ts';

/** Data with rows in every table, and the ids and keys that clients hold. */
export interface Filled {
  key: string;
  serverId: string;
  channelId: string;
  secret: string;
  /** The paths of all reads, including searches. */
  paths: string[];
  /** The paths to the second pages of lists. */
  cursors: string[];
  /** Requests sent with an Idempotency-Key. */
  repeats: { path: string; body: Json; headers: Record<string, string> }[];
}

/** The responses to a client. */
export interface Answers {
  reads: Json[];
  pages: Json[];
  replays: Json[];
}

const odd = `quotes ' " \\ and {braces}, NULL, \u{1f600}, ümläut, a tab\t, "__proto__"`;
/** Names must not contain control characters. */
const oddName = odd.replace('\t', '');

/** Fills every table, through the API where possible. */
export async function fill(world: World): Promise<Filled> {
  const scene = await Scene.open(world);
  const { admin, server, owner } = scene;
  const paths: string[] = [];
  for (const row of reads) paths.push(pathOf(row, (await row.ready(scene)).id));
  // Creates each record twice, once in a channel that is then deleted, so there are rows to sweep.
  const gone = await scene.channel();
  for (const row of inserts) {
    for (const each of [scene, scene.with({ place: gone })]) {
      const { id, body } = await requestOf(row, each);
      await scene.make(pathOf(row, id), body ?? {});
    }
  }
  await scene.remove(`/channels/${gone.id}`);

  const other = await world.user({ username: 'jose', name: 'José Álvarez' });
  const guest = await world.client(server, ['canEditData'], other);
  const place = await fillChannel(scene, guest);
  const { channelId } = place;

  const app = await scene.app({ description: odd });
  const config = { b: [1, 2.5, -1e-7, null, { z: true, a: odd }], a: {}, 10: 'ten', 9: 'nine', '': 'empty' };
  await scene.make('/app-installs', { appId: app.id, config });
  const secret = 'the value of a secret';
  await scene.make('/secrets', { kind: 'appSecret', name: 'Token', appId: app.id, value: secret });

  const { id: fileId } = dataOf(await upload(world, admin));
  dataOf(await admin.delete(`/attachments/${fileId}`));

  await scene.webhook({ types: ['message.*', 'channel.created'], channelId });
  await scene.webhook({ direction: 'in', url: undefined, channelId });

  const repeats = [
    { path: '/messages', body: { channelId, content: 'once' }, headers: { 'idempotency-key': 'plain' } },
    { path: '/secrets', body: { kind: 'apiKey', name: 'Bot' }, headers: { 'idempotency-key': 'sealed' } },
  ];
  for (const { path, body, headers } of repeats) dataOf(await admin.post(path, body, headers));

  await fillAgents(scene, channelId, guest);
  await fillAccount(world);
  await fillPeople(world, scene, place);

  const run = await addRun(world, { flowId: (await world.flow(server)).id, serverId: server.id });
  await addStep(world, run.id);
  await addWait(world, run);

  await fillUpkeep(world, { serverId: server.id, userId: other.id, creatorId: owner.id });

  const lists = listsOf(channelId, server.id);
  const cursors = await cursorsOf(admin, lists);
  paths.push(`/users/${owner.id}`, ...lists);
  return { key: admin.key, serverId: server.id, channelId, secret, paths, cursors, repeats };
}

/** A channel with messages, a thread and reactions, by the admin and by another person. */
async function fillChannel(
  scene: Scene,
  guest: Client,
): Promise<Record<'channelId' | 'messageId' | 'threadId', string>> {
  const { admin } = scene;
  const { id: channelId } = await scene.channel({ name: 'Überblick', description: odd });
  const first = await scene.message({ channelId, content: 'Wie geht es @jose?' });
  for (let number = 0; number < 60; number++)
    await scene.make(
      '/messages',
      { channelId, content: `needle ${number} ${odd}` },
      number % 2 ? guest : admin,
    );
  await scene.make('/messages', { channelId, replyToId: first.id, content: 'Gut' }, guest);
  const thread = await scene.thread({ messageId: first.id, name: oddName });
  await scene.make('/messages', { threadId: thread.id, content: 'in the thread' }, guest);
  await scene.make('/reactions', { messageId: first.id, emoji: '👍' });
  await scene.make('/reactions', { messageId: first.id, emoji: '🎉' }, guest);
  dataOf(await admin.patch(`/messages/${first.id}`, { content: 'edited, @jose' }));
  dataOf(await admin.delete(`/messages/${(await scene.message({ channelId })).id}`));
  return { channelId, messageId: first.id, threadId: thread.id };
}

/** An account with two-factor authentication, a passkey and a pending sign-in, a queued email, and a sign-up link. */
async function fillAccount(world: World): Promise<void> {
  const person = await world.user();
  const browser = await Browser.claimed(world, person);
  dataOf(await browser.post('/second-factor'));
  await change(world.data, (work) => newRecoveryCodes(work, person.id));
  await linkFor(world, undefined, 'signUp');
  await begin(world);
  const { newRow } = await change(world.data, async (work) => work);
  await world.data.db.write(async (tx) => {
    const key = { credential: 'AAEC', publicKey: 'AAEC', counter: 7, transports: ['internal', odd] };
    const flags = { backupEligible: true, backedUp: false, lastUsedAt: null };
    const at = { origin: 'https://chat.example.com', name: oddName };
    await tx.run(insert('passkey', { ...newRow(), userId: person.id, ...key, ...flags, ...at }));
    const { id } = newRow();
    await tx.run(insert('usedChallenge', { id, digest: 'a digest', expiresAt: FAR_AHEAD }));
  });
  await change(world.data, (work) => underWay(world, work, person));
}

/** Rows left behind by upkeep, by password guesses, by a member who left, and by an invitation. */
async function fillUpkeep(
  world: World,
  { serverId, userId, creatorId }: Record<'serverId' | 'userId' | 'creatorId', string>,
): Promise<void> {
  const { newRow } = await change(world.data, async (work) => work);
  const progress = { until: 1_700_000_000_000, grownUntil: 1_800_000_000_000 };
  const lease = { name: 'upkeep', owner: null, ownedUntil: 0, progress: JSON.stringify(progress) } as const;
  const failure = { item: 'files:one', attempts: 2, since: 1_000, nextAt: FAR_AHEAD };
  const guess = { subject: 'a digest', failures: 20, since: 1_000, blockedAt: 2_000, forgetAt: FAR_AHEAD };
  await world.data.db.write(async (tx) => {
    await tx.run(insert('lease', lease));
    await tx.run(insert('failure', { ...failure, queue: 'files', reason: odd }));
    await tx.run(insert('guess', { ...guess, userId }));
    await tx.run(insert('departure', { ...newRow(), serverId, userId }));
    const times = { expiresAt: FAR_AHEAD, closedAt: null };
    await tx.run(insert('invitation', { ...newRow(), serverId, userId, creatorId, ...times }));
  });
}

/** The paths of lists that are read page by page. */
const listsOf = (channelId: string, serverId: string): string[] => [
  `/channels/${channelId}/messages?limit=7`,
  `/channels/${channelId}/messages?limit=7&order=asc`,
  `/channels/${channelId}/messages?limit=7&q=needle`,
  `/channels/${channelId}/messages?limit=7&q=needle&order=asc`,
  `/servers/${serverId}/members?limit=1&q=jos`,
  `/servers/${serverId}/members?limit=1`,
  `/servers/${serverId}/channels?limit=2`,
  '/servers/joinable?limit=1',
];

/** The paths to the second pages of these lists. */
async function cursorsOf(client: Client, lists: readonly string[]): Promise<string[]> {
  const cursors: string[] = [];
  for (const list of lists) {
    const { nextCursor } = (await client.get(list)).body;
    if (nextCursor !== null) cursors.push(`${list}&cursor=${encodeURIComponent(nextCursor)}`);
  }
  assert.ok(cursors.length >= 6);
  return cursors;
}

/** Sends the requests that `fill` has prepared. Cursors are reduced to whether there is a next page. */
export async function answersOf(
  world: World,
  { key, channelId, paths, cursors, repeats }: Filled,
): Promise<Answers> {
  const client = world.as(key);
  const ask = async (path: string) => {
    const { status, body } = await client.get(path);
    assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`);
    return body;
  };
  const answers: Answers = { reads: [], pages: [], replays: [] };
  for (const path of paths) answers.reads.push(withoutCursor(await ask(path)));
  for (const path of cursors) answers.pages.push(withoutCursor(await ask(path)));
  answers.reads.push(await listAll(client, `/channels/${channelId}/messages?q=needle`, 10));
  for (const { path, body, headers } of repeats) {
    const replay = await client.post(path, body, headers);
    assert.equal(replay.headers.get('idempotency-replayed'), 'true', path);
    answers.replays.push(replay.body);
  }
  return answers;
}

/** Omits the cursor, and `lastUsedAt` of keys, because these reads change it. */
const withoutCursor = ({ nextCursor, ...body }: Json): Json => ({
  ...JSON.parse(JSON.stringify(body), (name, value) => (name === 'lastUsedAt' ? undefined : value)),
  hasNext: nextCursor != null,
});

/** Adds a queued email and a pending sign-in with a provider. */
async function underWay(
  { data: { seal } }: World,
  { db, newRow }: Parameters<Parameters<typeof change>[1]>[0],
  { id: userId }: Json,
): Promise<void> {
  const [mail, request] = [newRow(), newRow()];
  const later = mail.createdAt + 60 * 60_000;
  const sealed = (table: string, id: string) => seal.seal(odd, { table, column: 'sealed', id });
  await db.run(
    insert('mail', {
      ...mail,
      kind: 'notice',
      userId,
      recipient: 'a digest',
      sealed: sealed('mail', mail.id),
      attempts: 1,
      dueAt: later,
      uselessAt: later,
      forgetAt: later,
    }),
  );
  await db.run(
    insert('authenticationRequest', {
      ...request,
      provider: 'example',
      digest: 'a digest',
      browser: 'another digest',
      stage: 'sent',
      sealed: sealed('authenticationRequest', request.id),
      userId,
      sessionId: null,
      address: '203.0.113.7',
      returnTo: '/',
      expiresAt: later,
    }),
  );
}
