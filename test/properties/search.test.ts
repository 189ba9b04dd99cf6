import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { change, insert, remove } from '../support/sources.ts';
import { type Client, type Json, listAll, World } from '../support/world.ts';

let world: World;
let server: Json;
let admin: Client;
before(async () => {
  world = await World.open();
  server = await world.server(await world.user());
  admin = await world.client(server, ['canAdmin']);
});
after(() => world.close());

const channelPath = async (): Promise<string> =>
  (await admin.post('/channels', { name: world.unique('channel') })).data.id;

/** Texts that could have a meaning in a query language. */
const signs = ['"', '*', '^', '(', ')', ':', '-', '+', '{', '}', "'", '%', '\\', ';', '--', '/*', '\u0001'];
const operators = ['AND', 'OR', 'NOT', 'NEAR(a b, 2)', 'scope:', 'body : ', 'rowid', 'a*', '"a" *', '\uE000'];
const anyText = fc
  .oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.string({ unit: 'grapheme', maxLength: 30 }),
    fc
      .array(fc.constantFrom(...signs, ...operators, ' ', 'hope'), { maxLength: 12 })
      .map((parts) => parts.join('').slice(0, 200)),
  )
  .map((text) => text.replaceAll('\u0000', '').toWellFormed());

test('any text in q returns a list', async () => {
  const channelId = await channelPath();
  await admin.post('/messages', { channelId, content: 'hope AND "a" body : NEAR' });
  const paths = [`/channels/${channelId}/messages`, `/servers/${server.id}/members`, '/servers/joinable'];
  await fc.assert(
    fc.asyncProperty(anyText, async (text) => {
      for (const path of paths) {
        const { status, body } = await admin.get(`${path}?limit=5&q=${encodeURIComponent(text)}`);
        assert.equal(status, 200, `${JSON.stringify(text)}: ${JSON.stringify(body)}`);
        assert.ok(Array.isArray(body.data));
      }
    }),
    { numRuns: 100 },
  );
});

test('a message with any text is stored unchanged, and its channel can be searched for it', async () => {
  const channelId = await channelPath();
  await fc.assert(
    fc.asyncProperty(anyText, async (text) => {
      const content = `marker ${text}`;
      const { status, data } = await admin.post('/messages', { channelId, content });
      assert.equal(status, 200);
      const found = await admin.get(`/channels/${channelId}/messages?limit=1&q=marker`);
      assert.deepEqual([found.data[0].id, found.data[0].content], [data.id, content]);
    }),
    { numRuns: 50 },
  );
});

test('a search immediately after a burst of messages finds all that are not deleted', async () => {
  const channelId = await channelPath();
  const send = () => admin.post('/messages', { channelId, content: 'burst' });
  const full = (await admin.get(`/messages/${(await send()).data.id}`)).data;
  const left = await change(world.data, async ({ db, newRow }) => {
    const rows = Array.from({ length: 1_500 }, () => ({ ...full, ...newRow() }));
    for (const row of rows) await db.run(insert('message', row));
    const gone = rows.filter((_, index) => index % 5 === 2);
    for (const { id } of gone) await db.run(remove('message', { id }));
    return rows.filter((row) => !gone.includes(row)).map(({ id }) => id);
  });
  const found = await listAll(admin, `/channels/${channelId}/messages?q=burst`);
  assert.deepEqual(
    found.map(({ id }) => id),
    [full.id, ...left].reverse(),
  );
});

const vocabulary = [
  ...['hope', 'hopeful', 'Hop', 'deploy', 'Deployment', 'a', 'I', '4', '42', '420', 'x86'],
  ...['café', 'cafe', 'CAFÉ', 'cafés', 'naïve', 'Ünïcode', 'straße', 'Łódź'],
  ...['надежда', 'надежды', 'ελπιδα', '日本', '日本語', 'and', 'or', 'not', 'near'],
];
const word = fc.constantFrom(...vocabulary);
const separator = fc.constantFrom(' ', '  ', ', ', '-', '\n', '. ', ' — ', '_', '/', ': "', '!');
const sentence = fc
  .array(fc.tuple(word, separator), { minLength: 1, maxLength: 7 })
  .map((parts) => parts.flat().join(''));

/** The parts of a query: word prefixes, and phrases of whole words. */
const prefix = fc
  .tuple(word, fc.integer({ min: 1, max: 10 }))
  .map(([text, length]) => ({ kind: 'prefix' as const, text: [...text].slice(0, length).join('') }));
const phrase = fc
  .array(word, { minLength: 1, maxLength: 3 })
  .map((words) => ({ kind: 'phrase' as const, text: words.join(' ') }));
type Part = { kind: 'prefix' | 'phrase'; text: string };
const query = fc.array(fc.oneof({ weight: 2, arbitrary: prefix }, phrase), { minLength: 1, maxLength: 3 });

/** Case, diacritics and strokes are ignored. */
const fold = (text: string): string =>
  text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss').replaceAll('ł', 'l');
/** Chinese characters are found anywhere in a run of Chinese characters. */
const isHan = (text: string): boolean => /^\p{sc=Han}+$/u.test(text);
const wordsOf = (text: string): string[] => fold(text).match(/[\p{L}\p{N}]+/gu) ?? [];

/**
 * Returns the text as shown. A message that starts with a number and a period is a list, whose items are numbered
 * consecutively.
 */
function numbered(text: string): string {
  let number = Number(/^\d+(?=\. )/.exec(text)?.[0] ?? Number.NaN);
  return Number.isNaN(number) ? text : text.replace(/^\d+(?=\. )/gm, () => String(number++));
}

function matches(text: string, parts: readonly Part[]): boolean {
  const words = wordsOf(text);
  return parts.every(({ kind, text: wanted }) => {
    const start = fold(wanted);
    if (kind === 'prefix')
      return words.some((word) => (isHan(start) ? word.includes(start) : word.startsWith(start)));
    const sought = wordsOf(wanted);
    return words.some((_, first) =>
      sought.every((word, index) => {
        const there = words[first + index] ?? '';
        if (!isHan(word)) return there === word;
        if (sought.length === 1) return there.includes(word);
        return index === 0
          ? there.endsWith(word)
          : index === sought.length - 1
            ? there.startsWith(word)
            : there === word;
      }),
    );
  });
}

const written = (parts: readonly Part[]): string =>
  parts.map(({ kind, text }) => (kind === 'phrase' ? `"${text}"` : text)).join(' ');

test('messages: words, prefixes and phrases match as in a naive search, after edits and deletes too', async () => {
  const scenario = fc.record({
    sentences: fc.array(sentence, { minLength: 2, maxLength: 8 }),
    edited: sentence,
    queries: fc.array(query, { minLength: 1, maxLength: 6 }),
    order: fc.constantFrom('asc', 'desc'),
  });
  const numbers: Part[][] = [
    ...['4', '42', '420'].map((text): Part[] => [{ kind: 'prefix', text }]),
    ...['4', '42', '420', '420 hope'].map((text): Part[] => [{ kind: 'phrase', text }]),
  ];
  await fc.assert(
    fc.asyncProperty(scenario, async ({ sentences, edited, queries, order }) => {
      const channelId = await channelPath();
      let messages: Json[] = [];
      for (const content of sentences) {
        messages.push((await admin.post('/messages', { channelId, content })).data);
      }
      const search = async (parts: Part[]) => {
        const q = encodeURIComponent(written(parts));
        const found = await listAll(admin, `/channels/${channelId}/messages?order=${order}&q=${q}`, 3);
        const expected = messages.filter(({ content }) => matches(numbered(content), parts));
        if (order === 'desc') expected.reverse();
        assert.deepEqual(
          found.map(({ content }) => content),
          expected.map(({ content }) => content),
          written(parts),
        );
      };
      for (const parts of queries) await search(parts);
      const [first, second, ...rest] = messages as [Json, Json, ...Json[]];
      const change = await admin.patch(`/messages/${first.id}`, { content: edited });
      await admin.delete(`/messages/${second.id}`);
      messages = [change.data, ...rest];
      for (const parts of queries) await search(parts);
    }),
    {
      numRuns: 25,
      // Rare texts: lists that start with a number other than 1.
      examples: [
        [{ sentences: ['420. hope', 'a'], edited: '42. cafe\n4. a', queries: numbers, order: 'desc' }],
        [{ sentences: ['4. hope\n42. a', 'a'], edited: '420. a', queries: numbers, order: 'asc' }],
      ],
    },
  );
});

const name = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '));
const prefixes = fc.array(prefix, { minLength: 1, maxLength: 2 });

test('members: word prefixes in the name, username and nickname match as in a naive search', async () => {
  const people = fc.array(fc.record({ name, nickname: fc.option(name) }), { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(people, fc.array(prefixes, { minLength: 1, maxLength: 5 }), async (people, queries) => {
      const owner = await world.user();
      const home = await world.server(owner);
      const keeper = await world.client(home, ['canAdmin'], owner);
      for (const { name, nickname } of people) {
        const member = await world.member(home, await world.user({ name }));
        await keeper.patch(`/server-members/${member.id}`, { nickname });
      }
      const path = `/servers/${home.id}/members`;
      const members = await listAll(keeper, path);
      for (const parts of queries) {
        const found = await listAll(keeper, `${path}?q=${encodeURIComponent(written(parts))}`, 2);
        const expected = members.filter(({ nickname, user }) =>
          matches(`${nickname ?? ''} ${user.name} ${user.username}`, parts),
        );
        assert.deepEqual(found, expected, written(parts));
      }
    }),
    { numRuns: 20 },
  );
});

test('joinable servers: word prefixes in the name and description match as in a naive search', async () => {
  const places = fc.array(fc.record({ name, description: fc.option(name), private: fc.boolean() }), {
    minLength: 1,
    maxLength: 4,
  });
  await fc.assert(
    fc.asyncProperty(places, fc.array(prefixes, { minLength: 1, maxLength: 5 }), async (places, queries) => {
      for (const { name, ...fields } of places) {
        const owner = await world.user();
        const place = await world.server(owner, name);
        await (await world.client(place, [], owner)).patch(`/servers/${place.id}`, fields);
      }
      const joinable = await listAll(admin, '/servers/joinable');
      for (const parts of queries) {
        const found = await listAll(admin, `/servers/joinable?q=${encodeURIComponent(written(parts))}`, 20);
        const expected = joinable.filter(({ name, description }) =>
          matches(`${name} ${description ?? ''}`, parts),
        );
        assert.deepEqual(found, expected, written(parts));
      }
    }),
    { numRuns: 12 },
  );
});
