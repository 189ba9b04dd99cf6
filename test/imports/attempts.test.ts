// @run waits: waits for claims to be renewed
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openArchive } from '../../server/src/imports/archive.ts';
import { type Given, prepare } from '../../server/src/imports/into.ts';
import { quotasFrom } from '../../server/src/limits/quotas.ts';
import { Browser } from '../support/account.ts';
import { zipOf } from '../support/archives.ts';
import { dataOf } from '../support/expect.ts';
import { until } from '../support/process.ts';
import { find, update } from '../support/sources.ts';
import { uploadPart } from '../support/uploads.ts';
import { type Client, type Json, World } from '../support/world.ts';

// Import attempts that lose their claim, keep it, or fail. The tests claim the timers, instead of the node's
// clock.

/** The number of messages in an archive, and of those written before the message with a file. */
const MESSAGES = 150;
const BEFORE_FILE = 100;
const LEASE_MS = 60_000;
/** Exceeds the time between two renewals of a claim. */
const RENEWED_MS = 3_000;

let world: World;
let owner: Json;
let browser: Browser;
let key: Client;

before(async () => {
  world = await World.open({ limits: { '*': 0 } });
  owner = await world.user();
  const root = await world.user({ platformAdmin: true });
  browser = await Browser.of(world, root);
  key = await world.client(await world.server(owner), ['canViewData'], root);
});
after(() => world.close());

/** A Mattermost bulk export. The last post has a file, whose checksum is wrong if the archive is damaged. */
function archiveOf({ isDamaged = false } = {}): Buffer {
  const posts = Array.from({ length: MESSAGES }, (_, index) => ({
    type: 'post',
    post: {
      ...{ team: 'harbour', channel: 'pier', user: 'grace', message: `history ${index}` },
      create_at: 1_700_000_000_000 + index,
      ...(index === MESSAGES - 1 && { attachments: [{ path: 'a.txt' }] }),
    },
  }));
  const lines = [
    { type: 'version', version: 1 },
    { type: 'team', team: { name: 'harbour', display_name: 'Harbour', type: 'O' } },
    { type: 'channel', channel: { team: 'harbour', name: 'pier', display_name: 'Pier', type: 'O' } },
    { type: 'user', user: { username: 'grace', email: '' } },
    ...posts,
  ];
  return zipOf([
    { name: 'import.jsonl', content: lines.map((line) => `${JSON.stringify(line)}\n`).join('') },
    { name: 'data/a.txt', content: 'a file', ...(isDamaged && { checksum: 1 }) },
  ]);
}

/** Starts an import into a new server. */
async function begun(archive: Buffer) {
  const server = await world.server(owner);
  const member = await world.client(server, ['canAdmin'], owner);
  const body = { source: 'mattermost', serverId: server.id, bytes: archive.length };
  const { id } = dataOf(await browser.post('/platform/imports', body));
  const part = await uploadPart(world, key, id, archive);
  assert.equal(part.status, 200);
  const cursor = (await member.get('/events?wait=0')).body.nextCursor;
  dataOf(await browser.post(`/platform/imports/${id}/start`, {}));
  return {
    id,
    look: async (): Promise<Json> => dataOf(await browser.get(`/platform/imports/${id}`)),
    /** The number of messages that imports have added, according to the events. */
    async announced(): Promise<number[]> {
      const events: Json[] = (await member.get(`/events?cursor=${cursor}&limit=100`)).body.data;
      return events.filter(({ type }) => type === 'import.finished').map(({ data }) => data.messages);
    },
    async ended(): Promise<Json> {
      await until(async () => (await this.look()).state !== 'running', 120_000);
      return this.look();
    },
  };
}

const timerOf = async (id: string) => {
  const timer = await world.data.db.read.first(find('timer', { id }));
  assert.ok(timer, 'the import has ended');
  return timer;
};

/** Claims the timer of an import, as a clock does. */
async function claimed(id: string) {
  const timer = { ...(await timerOf(id)), dueAt: Date.now() + LEASE_MS };
  await world.data.db.write((tx) => tx.run(update('timer', id, { dueAt: timer.dueAt })));
  return timer;
}

/** Pauses all imports before they store a file. */
async function holdFiles(t: TestContext) {
  const store = await world.data.files.store;
  const put = store.put.bind(store);
  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  store.put = async (...given) => {
    // Uploads of archive parts are not paused.
    if (isWorking()) {
      reached.resolve();
      await released.promise;
    }
    return put(...given);
  };
  const release = () => {
    store.put = put;
    released.resolve();
  };
  t.after(release);
  return { reached: reached.promise, release };
}

const isWorking = () =>
  existsSync(world.data.files.working) && readdirSync(world.data.files.working).length > 0;

test('an import that another node has claimed stops, and only the last attempt announces its messages', async (t) => {
  const { id, announced, ...job } = await begun(archiveOf());
  const files = await holdFiles(t);
  await world.app.runDue(await claimed(id));
  await files.reached;
  const byAnother = await claimed(id);
  await sleep(RENEWED_MS);
  files.release();
  await until(() => !isWorking());
  assert.deepEqual([(await job.look()).state, await announced()], ['running', []]);
  await world.app.runDue(byAnother);
  const { state, failure } = await job.ended();
  assert.deepEqual([state, failure, await announced()], ['done', null, [MESSAGES]]);
});

test('a node that claims the timer of its own import again continues the import', async (t) => {
  const { id, announced, ...job } = await begun(archiveOf());
  const files = await holdFiles(t);
  await world.app.runDue(await claimed(id));
  await files.reached;
  const { dueAt } = await timerOf(id);
  await until(async () => (await timerOf(id)).dueAt !== dueAt);
  // The next renewal is a second away.
  const again = await claimed(id);
  await world.app.runDue(again);
  assert.equal((await timerOf(id)).dueAt, again.dueAt, 'the node has renewed its claim');
  await sleep(RENEWED_MS);
  files.release();
  const { state, log } = await job.ended();
  const attempts = log.filter(({ text }: Json) => text === 'Importing what the dry run found');
  assert.deepEqual([state, attempts.length, await announced()], ['done', 1, [MESSAGES]]);
});

test('a deleted import announces the messages that it has added, and those that it still adds', async (t) => {
  const { id, announced } = await begun(archiveOf());
  const files = await holdFiles(t);
  await world.app.runDue(await claimed(id));
  await files.reached;
  dataOf(await browser.send('DELETE', `/platform/imports/${id}`));
  await sleep(RENEWED_MS);
  files.release();
  await until(() => !isWorking());
  assert.deepEqual(await announced(), [BEFORE_FILE, MESSAGES - BEFORE_FILE]);
});

test('an import that is deleted while no node runs it announces the messages that it has added', async (t) => {
  const { id, announced } = await begun(archiveOf());
  const files = await holdFiles(t);
  await world.app.runDue(await claimed(id));
  await files.reached;
  await claimed(id);
  await sleep(RENEWED_MS);
  files.release();
  await until(() => !isWorking());
  assert.deepEqual(await announced(), []);
  dataOf(await browser.send('DELETE', `/platform/imports/${id}`));
  assert.deepEqual(await announced(), [MESSAGES]);
});

test('an import that fails because it took too long announces the messages that it has added', async (t) => {
  const { id, announced, ...job } = await begun(archiveOf());
  const createdAt = Date.now() - 25 * 3_600_000;
  await world.data.db.write((tx) => tx.run(update('import', id, { createdAt })));
  const store = await world.data.files.store;
  t.mock.method(store, 'put', () => Promise.reject(new Error('the disk is broken')));
  await world.app.runDue(await claimed(id));
  const { state, failure, serverId } = await job.ended();
  assert.deepEqual([state, failure, await announced()], ['failed', 'It took too long', [BEFORE_FILE]]);
  assert.equal(await world.data.db.read.first(find('unfinishedImport', { id: serverId })), undefined);
});

test('an import whose archive is rejected midway announces the messages that it added', async () => {
  const { id, announced, ...job } = await begun(archiveOf({ isDamaged: true }));
  await world.app.runDue(await claimed(id));
  const { state, serverId } = await job.ended();
  assert.deepEqual([state, await announced()], ['failed', [BEFORE_FILE]]);
  assert.equal(await world.data.db.read.first(find('unfinishedImport', { id: serverId })), undefined);
});

test('a command whose import fails announces the messages that it has added', async (t) => {
  const server = await world.server(owner);
  const member = await world.client(server, ['canAdmin'], owner);
  const cursor = (await member.get('/events?wait=0')).body.nextCursor;
  const folder = mkdtempSync(join(tmpdir(), 'attempts-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'archive.zip');
  writeFileSync(path, archiveOf());
  const archive = await openArchive(path);
  t.after(() => archive.close());
  const pace = { rows: 100, characters: 1_000_000, rest: async () => {} };
  const { run } = await prepare({
    ...{ services: world.data, source: 'mattermost', archive, to: { serverId: server.id }, pace },
    ...{ quotas: quotasFrom({}), allowedHosts: { allowPrivate: false, hosts: [] } },
    settings: { fileMegabytes: 100, personMegabytes: 0, storageMegabytes: 0 } as Given['settings'],
  });
  const store = await world.data.files.store;
  t.mock.method(store, 'put', () => Promise.reject(new Error('the disk is broken')));
  await assert.rejects(run, /the disk is broken/);
  const events: Json[] = (await member.get(`/events?cursor=${cursor}&limit=100`)).body.data;
  const announced = events.filter(({ type }) => type === 'import.finished').map(({ data }) => data.messages);
  assert.deepEqual(announced, [BEFORE_FILE]);
});

test('an import has the same result and log if its writes are retried', async (t) => {
  const { id, announced, ...job } = await begun(archiveOf());
  const { db } = world.data;
  const write = db.write.bind(db);
  const conflict = new Error('rolls back');
  // Runs the write, rolls it back and runs it again, as after a conflict.
  const twice: typeof db.write = async (task, ...rest) => {
    const first = write(
      async (tx) => {
        await task(tx);
        throw conflict;
      },
      ...rest,
    );
    await assert.rejects(first, (error) => {
      if (error !== conflict) throw error;
      return true;
    });
    return write(task, ...rest);
  };
  t.mock.method(db, 'write', twice);
  await world.app.runDue(await claimed(id));
  const { state, asPlanned, log } = await job.ended();
  assert.deepEqual([state, asPlanned, await announced()], ['done', true, [MESSAGES]]);
  const texts = log.map(({ text }: Json) => text);
  assert.equal(texts.length, new Set(texts).size, texts.join());
});
