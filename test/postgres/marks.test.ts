import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { find, prepare, q } from '../../server/src/db/statements.ts';
import { Browser } from '../support/account.ts';
import { dataOf } from '../support/expect.ts';
import { read, say, stateOf } from '../support/reading.ts';
import { Scene } from '../support/scene.ts';
import { type Client, type Json, TestClock, World } from '../support/world.ts';

/**
 * The number of people who mark messages as read at the same time. Their marks share transactions and
 * statements.
 */
const PEOPLE = 40;

const clock = new TestClock();
let world: World;
let scene: Scene;
let writer: Client;
let browsers: Browser[];
before(async () => {
  world = await World.open({ clock, limits: { '*': 0 } });
  scene = await Scene.open(world);
  writer = await world.client(scene.server, ['canEditData']);
  browsers = [];
  for (let number = 0; number < PEOPLE; number++) {
    const user = await world.user();
    clock.advance(10);
    await world.member(scene.server, user);
    const browser = await Browser.of(world, user, scene.server);
    // Caches the session.
    dataOf(await browser.get('/me'));
    browsers.push(browser);
  }
  clock.advance(10);
});
after(() => world.close());

/** The statements in a transaction with marks: begin, locks, permissions, markers, marks, commit. */
const STATEMENTS = 6;
/** The maximum number of statements that the node sends on its own while people mark messages. */
const OTHERS = 12;

/**
 * Marks three times. Only one of the runs has to get by with few statements, because the node also sends
 * statements of its own.
 */
async function requireFewStatements(mark: (time: number) => Promise<unknown>): Promise<void> {
  const { figures } = world.data.db;
  const found: string[] = [];
  for (const time of [0, 1, 2]) {
    const { statements, batches } = figures;
    await mark(time);
    const [sent, made] = [figures.statements - statements, figures.batches - batches];
    if (made < PEOPLE / 2 && sent <= made * STATEMENTS + OTHERS) return;
    found.push(`${sent} statements, ${made} transactions`);
  }
  assert.fail(found.join('; '));
}

const idsOf = (sent: readonly Json[]): string[] => sent.map(({ id }) => id as string);

test("many people's concurrent marks take a few statements per transaction, not a few per mark", async () => {
  const { id: channelId } = await scene.channel();
  const ids = idsOf(await say(clock, writer, channelId, '1', '2', '3', '4', '5'));
  const markAll = (messageId: string) =>
    Promise.all(browsers.map(async (browser) => dataOf(await read(browser, { channelId, messageId }))));
  await markAll(ids[0] as string);
  await requireFewStatements((time) => markAll(ids[time + 1] as string));
  await markAll(ids[3] as string);
  for (const browser of browsers) {
    const { messageId, unread } = await stateOf(browser, channelId);
    assert.deepEqual([messageId, unread], [ids[3], 1]);
  }
});

test('marks for threads share statements, too', async () => {
  const { id: channelId } = await scene.channel();
  const { id: threadId } = await scene.thread({ channelId });
  const reply = async (): Promise<string> => {
    clock.advance(1);
    return dataOf(await writer.post('/messages', { threadId, content: 'reply' })).id;
  };
  const [first, ...later] = [await reply(), await reply(), await reply(), await reply()];
  const markAll = (messageId: string) =>
    Promise.all(browsers.map(async (browser) => dataOf(await read(browser, { threadId, messageId }))));
  // Creates the markers. Each new thread marker takes an additional statement, which enforces the limit per
  // person.
  await markAll(first as string);
  await requireFewStatements((time) => markAll(later[time] as string));
  await markAll(later[2] as string);
  for (const browser of browsers.slice(0, 3)) {
    const { threads } = dataOf(await browser.get(`/reading?threadIds=${threadId}`));
    assert.deepEqual([threads[0].messageId, threads[0].unread], [later[2], 0]);
  }
});

test("one person's concurrent marks in a channel end at the furthest one, even within one request", async () => {
  const [browser] = browsers as [Browser];
  const { id: channelId } = await scene.channel();
  const { id: other } = await scene.channel();
  const ids = idsOf(await say(clock, writer, channelId, '1', '2', '3', '4', '5'));
  const [, , , fourth, fifth] = ids;
  const tries = await Promise.all([
    ...ids.slice(0, 4).map((messageId) => read(browser, { channelId, messageId })),
    ...browsers.slice(1, 9).map((one) => read(one, { channelId, messageId: fifth })),
  ]);
  for (const answer of tries) dataOf(answer);
  assert.equal((await stateOf(browser, channelId)).messageId, fourth);
  const { marks } = dataOf(
    await read(
      browser,
      { channelId, messageId: fifth },
      { channelId: other, messageId: fourth },
      { channelId, messageId: ids[0] },
    ),
  );
  assert.deepEqual(
    marks.map(({ messageId }: Json) => messageId),
    [fifth, fourth, fifth],
  );
  assert.equal((await stateOf(browser, channelId)).messageId, fifth);
  assert.equal((await stateOf(browsers[9] as Browser, channelId)).unread, 5, "others' markers are unchanged");
});

test('a rejected mark in a batch is rolled back alone, and the others are stored', async () => {
  const { id: channelId } = await scene.channel();
  const closed = await scene.channel({ private: true });
  const ids = idsOf(await say(clock, writer, channelId, '1', '2'));
  const answers = await Promise.all(
    browsers.map((browser, number) =>
      number % 5 === 0
        ? read(browser, { channelId, messageId: ids[1] }, { channelId: closed.id, messageId: ids[1] })
        : read(browser, { channelId, messageId: ids[1] }),
    ),
  );
  for (const [number, { status }] of answers.entries())
    assert.equal(status, number % 5 === 0 ? 404 : 200, `${number}`);
  for (const [number, browser] of browsers.entries())
    assert.equal((await stateOf(browser, channelId)).unread, number % 5 === 0 ? 2 : 0, `${number}`);
});

test('a row that is changed twice without a read in between keeps the later change', async () => {
  const { db } = world.data;
  const set = prepare(
    (p: { channelId: string; userId: string; unreadAt: number }) =>
      q
        .insertInto('channelReading')
        .values({ channelId: p.channelId, userId: p.userId, unreadAt: p.unreadAt } as never)
        .onConflict((conflict) =>
          conflict
            .columns(['channelId', 'userId'])
            .doUpdateSet({ unreadAt: sql<number>`excluded."unreadAt"` }),
        ),
    {},
    { inserts: 'channelReading', key: ['channelId', 'userId'] },
  );
  const place = { channelId: (await scene.channel()).id, userId: scene.owner.id };
  await db.write(async (tx) => {
    for (const unreadAt of [1, 2, 3]) await tx.run(set({ ...place, unreadAt }));
  }, scene.server.id);
  assert.equal((await db.read.first(find('channelReading', place)))?.unreadAt, 3);
});
