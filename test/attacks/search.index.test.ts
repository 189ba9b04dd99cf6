import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newBlockCache, searchesOf } from '../../server/src/db/search/index.ts';
import { MessageIndexer } from '../../server/src/db/search/indexer.ts';
import { patience } from '../../server/src/db/search/read.ts';
import { restartIndex } from '../../server/src/db/search/schema.ts';
import { type Block, s } from '../../server/src/db/search/tables.ts';
import { Recent } from '../../server/src/lib/recent.ts';
import { engine } from '../support/databases.ts';
import { dataOf, idsOf } from '../support/expect.ts';
import { Scene } from '../support/scene.ts';
import { indexerOf } from '../support/searchIndex.ts';
import { Random } from '../support/seeded.ts';
import { insert, newRow, q, remove, type Tx } from '../support/sources.ts';
import { type Client, type Json, listAll, World } from '../support/world.ts';

// Compares the message index with a scan of all messages: a search must find the same ones after any sequence of
// changes.

let world: World;
let scene: Scene;
let member: Client;
/** Public and private channels. The member sees the public ones. */
let channels: Json[];
/** Each message as stored. */
const rows = new Map<string, Json>();
let sample: Json;
before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
  member = await world.client(scene.server);
  channels = [];
  for (let number = 0; number < 12; number++)
    channels.push(await scene.channel({ private: number % 3 === 0 }));
  sample = dataOf(await scene.admin.get(`/messages/${(await scene.message()).id}`));
  await scene.remove(`/messages/${sample.id}`);
});
after(() => world.close());

const random = new Random(31);

const vocabulary = [
  'harbour',
  'plan',
  'Plane',
  'Straße',
  '上海',
  '東京タワー',
  'مُحَمَّد',
  'İstanbul',
  'กรุงเทพ',
  '서울에서',
];
const contentOf = (number: number): string =>
  `${random.pick(vocabulary)} ${random.pick(vocabulary)} ${number % 211 === 0 ? 'needle' : 'hay'} w${random.below(3_000)}`;

/** A message in a random channel, with a current id or one from the past. */
function rowOf(tx: Tx, number: number, at?: number): Json {
  return {
    ...sample,
    ...newRow(world.data.deps, at ?? tx.time()),
    channelId: random.pick(channels).id,
    creatorId: random.below(4) === 0 ? member.secret.userId : scene.owner.id,
    type: random.below(9) === 0 ? 'agent' : 'person',
    isThreadReply: random.below(5) === 0,
    content: contentOf(number),
  };
}

const add = (amount: number, idOf?: (number: number) => string): Promise<void> =>
  world.data.db.write(async (tx) => {
    for (let number = 0; number < amount; number++) {
      const row = rowOf(tx, number);
      if (idOf) row.id = idOf(number);
      rows.set(row.id, row);
      await tx.run(insert('message', row as never));
    }
  }, scene.server.id);

/** Returns a message id with a time in 2015. The ids are in no particular order. */
const early = (number: number): string =>
  `014c${((number * 7_919) % 65_536).toString(16).padStart(4, '0')}-${random.below(65_536).toString(16).padStart(4, '0')}-7000-8000-${String(number).padStart(12, '0')}`;

/** Searches with filters, each with the messages that match. */
const searches: [query: string, holds: (row: Json) => boolean][] = [
  ['needle', has('needle')],
  ['plan', has('plan', 'Plane')],
  ['"plan"', has('plan ')],
  ['strasse', has('Straße')],
  ['海', has('上海')],
  ['タワ', has('東京')],
  ['محمد', has('مُحَمَّد')],
  ['ISTANBUL', has('İstanbul')],
  ['เทพ', has('กรุงเทพ')],
  ['서울', has('서울')],
  ['上海 needle', (row) => has('上海')(row) && has('needle')(row)],
  ['absent', () => false],
  ['hay&type=agent', (row) => has('hay')(row) && row.type === 'agent'],
  ['w1&isThreadReply=false', (row) => / w1/.test(row.content) && !row.isThreadReply],
  ['w1&isThreadReply=true', (row) => / w1/.test(row.content) && row.isThreadReply],
];

function has(...words: string[]) {
  return ({ content }: Json) => words.some((word) => content.includes(word));
}

/** Compares searches with a scan, for a reader who sees all channels and for a reader who sees only some. */
async function assertSame(when: string): Promise<void> {
  const creatorId = member.secret.userId;
  const asked = [
    ...searches,
    [
      `harbour&creatorId=${creatorId}`,
      (row: Json) => has('harbour')(row) && row.creatorId === creatorId,
    ] as const,
  ];
  const sorted = [...rows.values()].sort((one, other) => (one.id < other.id ? 1 : -1));
  const closed = new Set(channels.filter((channel) => channel.private).map(({ id }) => id));
  for (const [query, holds] of asked) {
    const right = sorted.filter(holds);
    for (const client of [scene.admin, member]) {
      const seen = right.filter((row) => client === scene.admin || !closed.has(row.channelId));
      const found = await listAll(client, `/servers/${scene.server.id}/messages?q=${query}`, 100);
      assert.deepEqual(idsOf(found), idsOf(seen), `${when}: ${query}`);
    }
    const { id } = random.pick(channels);
    const there = idsOf(right.filter((row) => row.channelId === id));
    const path = `/channels/${id}/messages?q=${query}`;
    assert.deepEqual(idsOf(await listAll(scene.admin, path, 100)), there, `${when}: ${path}`);
    assert.deepEqual(
      idsOf(await listAll(scene.admin, `${path}&order=asc`, 100)),
      there.reverse(),
      `${when}: ${path}, oldest first`,
    );
  }
}

const blocks = (): Promise<Block[]> => world.data.db.read.all(s.selectFrom('searchBlock').selectAll());
const settle = () => indexerOf(world).settle();

test('new messages are found before and after they are indexed', async () => {
  await add(700);
  await assertSame('new');
  await settle();
  assert.ok((await blocks()).length > 0);
  await assertSame('indexed');
});

test('imported messages from the past are in chronological order', async () => {
  await add(500, early);
  await assertSame('imported');
  await settle();
  await assertSame('imported and indexed');
});

test('small blocks are merged, and the order is kept', async () => {
  for (let round = 0; round < 17; round++) {
    await add(20);
    await settle();
  }
  const small = (await blocks()).filter(({ level }) => level === 1);
  assert.ok(small.length < 16, `${small.length} small blocks`);
  await assertSame('merged');
});

test('edits and deletes take effect immediately, and removed words are removed from the index', async () => {
  const ids = [...rows.keys()];
  for (let number = 0; number < 40; number++) {
    const row = rows.get(ids[(number * 31) % ids.length] as string) as Json;
    if (!row) continue;
    if (number % 2 === 0) {
      row.content = `${contentOf(number)} edited`;
      await world.data.db.write(
        (tx) => tx.run(q.updateTable('message').set({ content: row.content }).where('id', '=', row.id)),
        scene.server.id,
      );
    } else {
      rows.delete(row.id);
      await world.data.db.write((tx) => tx.run(remove('message', { id: row.id })), scene.server.id);
    }
  }
  const secret = { ...[...rows.values()][5] } as Json;
  await assertSame('changed');
  await world.data.db.write(
    (tx) => tx.run(q.updateTable('message').set({ content: 'xylographer' }).where('id', '=', secret.id)),
    scene.server.id,
  );
  await settle();
  const holds = async () => {
    const pages = await world.data.db.read.all(s.selectFrom('searchPage').select('data'));
    return pages.some(({ data }) => Buffer.from(data).includes('xylographer'));
  };
  assert.ok(await holds());
  await world.data.db.write((tx) => tx.run(remove('message', { id: secret.id })), scene.server.id);
  rows.delete(secret.id);
  await settle();
  assert.equal(await holds(), false);
  assert.deepEqual(
    (await blocks()).filter(({ stale }) => stale),
    [],
  );
  await assertSame('changed and indexed');
});

test('a rebuild that is killed repeatedly resumes, and searches are correct in the meantime', async () => {
  const { db } = world.data;
  for (const statement of restartIndex(engine)) await db.write((tx) => tx.run(rawOf(statement)));
  await assertSame('not indexed');
  const left = async () => (await db.read.first(s.selectFrom('searchProgress').select('upTo')))?.upTo;
  let kills = 0;
  for (; (await left()) !== null; kills++) {
    assert.ok(kills < 20);
    let writes = 0;
    // A database whose second write fails, as in a crash.
    const broken = {
      read: db.read,
      figures: db.figures,
      write: <T>(work: (tx: Tx) => Promise<T>) =>
        db.write(async (tx) => {
          const result = await work(tx);
          if (++writes > 1) throw new Error('killed');
          return result;
        }),
    };
    await new MessageIndexer(broken, newBlockCache(), () => {}, 300).settle().catch(() => {});
    if (kills === 1) await assertSame('partly indexed');
    // Ends the lease, so the next process does not have to wait for it.
    await db.write((tx) => tx.run(s.updateTable('searchProgress').set({ ownedUntil: 0 })));
  }
  assert.ok(kills > 2, String(kills));
  await settle();
  await assertSame('indexed again');
});

/** The query that has the same effect as a statement with this text. */
const rawOf = (statement: string) => {
  const [, table] = /"(search\w+)"/.exec(statement) as unknown as [string, 'searchBlock'];
  if (statement.startsWith('delete')) return s.deleteFrom(table);
  const newest = (column: 'id' | 'ord') =>
    q.selectFrom('message').select(column).orderBy(column, 'desc').limit(1);
  const set = statement.includes('ord =') ? { ord: newest('ord') } : { upTo: newest('id') };
  return s.updateTable('searchProgress').set(set as never);
};

test('pages that stop after each step miss nothing, in either order', async () => {
  const usual = { ...patience };
  Object.assign(patience, { page: -1, emptyPage: -1, steps: 1 });
  try {
    const { id } = random.pick(channels);
    for (const order of ['asc', 'desc']) {
      const right = idsOf(
        [...rows.values()].filter((row) => row.channelId === id && has('needle')(row)),
      ).sort();
      if (order === 'desc') right.reverse();
      const found = await listAll(scene.admin, `/channels/${id}/messages?q=needle&order=${order}`, 1);
      assert.deepEqual(idsOf(found), right, order);
    }
  } finally {
    Object.assign(patience, usual);
  }
});

test('concurrent changes, indexing and searches are consistent in the end', async () => {
  const indexing = (async () => {
    for (let round = 0; round < 4; round++) await settle();
  })();
  for (let round = 0; round < 4; round++) {
    await add(150);
    await assertFound();
  }
  await indexing;
  await settle();
  await assertSame('after all');
});

test('concurrent searches find everything with a cache for a single block', async () => {
  assert.ok((await blocks()).length > 1);
  const options = {
    blockCache: new Recent<number, never>(1),
    runInTurn: <T>(task: () => Promise<T>) => task(),
    onWaiting: () => {},
  };
  const { search } = searchesOf(world.data.db.read, options);
  const range = { from: undefined, firstId: null, beyondId: null, limit: rows.size, order: 'asc' as const };
  const filters = { creatorId: null, type: null, isThreadReply: null, isSweeping: false };
  await Promise.all(
    channels.map(async ({ id: channelId }) => {
      const right = [...rows.values()].filter((row) => row.channelId === channelId && has('needle')(row));
      const { json } = await search({ channelId, text: 'needle', ...range, ...filters });
      const found = JSON.parse(`[${Buffer.from(json)}]`) as Json[];
      assert.deepEqual(idsOf(found), idsOf(right).sort());
    }),
  );
});

async function assertFound(): Promise<void> {
  const right = [...rows.values()].filter(has('needle'));
  const found = await listAll(scene.admin, `/servers/${scene.server.id}/messages?q=needle`, 100);
  assert.equal(found.length, right.length);
}
