import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { Order, Reads, Runnable } from '../../server/src/db/contract.ts';
import { newBlockCache, searchesOf } from '../../server/src/db/search/index.ts';
import { patience } from '../../server/src/db/search/read.ts';
import { WINDOW } from '../../server/src/db/search/state.ts';
import { s } from '../../server/src/db/search/tables.ts';
import { engine } from '../support/databases.ts';
import { fillChannel } from '../support/messages.ts';
import { Scene } from '../support/scene.ts';
import { indexerOf } from '../support/searchIndex.ts';
import { q } from '../support/sources.ts';
import { type Json, World } from '../support/world.ts';

// Searches more unindexed messages than a search reads at once, while they are being indexed.

const MESSAGES = 2 * WINDOW + 500;
/** One in this many messages contains the word. */
const EVERY = 90;
/**
 * The maximum number of other rows that one query reads besides messages: index blocks, and the server's index
 * state.
 */
const MAX_OTHER_ROWS = 20;

let world: World;
let channel: Json;
let ids: string[];
const usual = { ...patience };
before(async () => {
  world = await World.open();
  const scene = await Scene.open(world);
  channel = await scene.channel();
  await fillChannel(world, channel, scene.owner.id, MESSAGES, undefined, (number) =>
    number % EVERY === 0 ? 'a needle' : 'hay',
  );
  const rows = await world.data.db.read.all(q.selectFrom('message').select(['id', 'content']).orderBy('id'));
  ids = rows.filter(({ content }) => content.includes('needle')).map(({ id }) => id);
  // The time limit for a page does not matter here.
  Object.assign(patience, { page: Number.POSITIVE_INFINITY, emptyPage: Number.POSITIVE_INFINITY });
});
after(async () => {
  Object.assign(patience, usual);
  await world.close();
});

/** Empties the index: all messages are new again. */
const restart = (): Promise<void> =>
  world.data.db.write(async (tx) => {
    await tx.run(s.deleteFrom('searchBlock'));
    await tx.run(s.deleteFrom('searchPage'));
    // SQLite would otherwise parse `on` as part of a join.
    const all = q
      .selectFrom('message')
      .select(['serverId', 'id', sql<number>`0`.as('edits')])
      .where(sql<boolean>`true`);
    await tx.run(
      s
        .insertInto('searchQueue')
        .columns(['serverId', 'messageId', 'edits'])
        .expression(all as never)
        .onConflict((conflict) => conflict.doNothing()),
    );
  }, channel.serverId);

/** Reads one page of results. `onRead` is called before each read, with the number of previous reads. */
async function search(order: Order, onRead: (reads: number) => Promise<void>) {
  const { read } = world.data.db;
  let [reads, mostRows] = [0, 0];
  const db: Reads = {
    dialect: read.dialect,
    first: (query) => read.first(query),
    json: (...page) => read.json(...page),
    async all<R>(query: Runnable<R>) {
      await onRead(++reads);
      const rows = await read.all(query);
      mostRows = Math.max(mostRows, rows.length);
      return rows;
    },
  };
  const options = {
    blockCache: newBlockCache(),
    runInTurn: <T>(task: () => Promise<T>) => task(),
    onWaiting: () => {},
  };
  const { json, next } = await searchesOf(db, options).search({
    ...{ channelId: channel.id, text: 'needle', order, limit: 100, from: undefined, isSweeping: false },
    ...{ creatorId: null, type: null, isThreadReply: null, firstId: null, beyondId: null },
  });
  assert.equal(next, undefined);
  const found = JSON.parse(`[${Buffer.from(json)}]`).map(({ id }: Json) => id);
  return { found, reads, mostRows };
}

for (const order of ['desc', 'asc'] as const)
  test(`${order}: a search finds each message once, regardless of when the others are indexed`, async () => {
    const expected = order === 'desc' ? ids.toReversed() : ids;
    for (let at = 1, all = 1; at <= all; at += 3) {
      await restart();
      const { found, reads, mostRows } = await search(order, async (read) => {
        if (read === at) await indexerOf(world).settle();
      });
      assert.deepEqual(found, expected, `indexed before read ${at}`);
      if (engine === 'postgres') assert.ok(mostRows <= WINDOW + MAX_OTHER_ROWS, `${mostRows} rows at once`);
      all = Math.max(all, at === 1 ? 4 : reads);
    }
  });
