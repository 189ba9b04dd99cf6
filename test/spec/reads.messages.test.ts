import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertRefused, dataOf, idsOf } from '../support/expect.ts';
import { Scene } from '../support/scene.ts';
import { type Client, type Json, listAll, TestClock, World } from '../support/world.ts';

const clock = new TestClock();
let world: World;
let scene: Scene;
let bot: Client;
before(async () => {
  world = await World.open({ clock });
  scene = await Scene.open(world);
  bot = await world.client(scene.server, ['canEditData'], await world.user({ agent: true }));
});
after(() => world.close());

const found = async (channelId: string, query: string): Promise<string[]> =>
  idsOf(await listAll(scene.admin, `/channels/${channelId}/messages${query}`, 2));

test('channelMessages: newest first, oldest first with order=asc, with every filter', async () => {
  const { id: channelId } = await scene.channel();
  const elsewhere = await scene.message({ content: 'elsewhere' });
  const sent: Json[] = [];
  const send = async (body: object, client = scene.admin): Promise<Json> => {
    const message = await scene.make('/messages', { content: 'Hello', ...body }, client);
    sent.push(message);
    clock.advance(10);
    return message;
  };
  const first = await send({ channelId });
  const byBot = await send({ channelId }, bot);
  const { id: threadId } = await scene.thread({ messageId: first.id });
  const reply = await send({ threadId });
  const answer = await send({ channelId, replyToId: first.id, serverId: scene.server.id });
  const botReply = await send({ channelId, threadId }, bot);
  const last = await send({ channelId });

  const [a, b, c, d, e, f] = idsOf(sent) as [string, string, string, string, string, string];
  const at = (message: Json, offset = 0): number => message.createdAt + offset;
  const rows: [string, string[]][] = [
    ['', [f, e, d, c, b, a]],
    ['?order=desc', [f, e, d, c, b, a]],
    ['?order=asc', [a, b, c, d, e, f]],
    [`?creatorId=${scene.owner.id}`, [f, d, c, a]],
    [`?creatorId=${bot.secret.userId}&order=asc`, [b, e]],
    ['?creatorId=0193a5f0-7b1c-7d2e-8f3a-4b5c6d7e8f90', []],
    ['?creatorId=no-uuid', []],
    ['?type=person', [f, d, c, a]],
    ['?type=agent', [e, b]],
    ['?type=system', []],
    ['?isThreadReply=true', [e, c]],
    ['?isThreadReply=false', [f, d, b, a]],
    [`?after=${at(reply)}`, [f, e, d]],
    [`?after=${at(reply, -1)}`, [f, e, d, c]],
    [`?before=${at(reply)}`, [b, a]],
    [`?before=${at(reply, 1)}`, [c, b, a]],
    [`?after=${at(byBot)}&before=${at(last)}&order=asc`, [c, d, e]],
    [`?after=${at(last)}`, []],
    ['?after=0&before=8640000000000000', [f, e, d, c, b, a]],
    ['?type=agent&isThreadReply=true&order=asc', [e]],
    [`?type=person&isThreadReply=false&after=${at(first)}`, [f, d]],
    ['?q=hello&type=agent', [e, b]],
    [`?q=hello&isThreadReply=true&creatorId=${scene.owner.id}`, [c]],
    [`?q=hello&after=${at(byBot)}&before=${at(last)}&order=asc`, [c, d, e]],
  ];
  for (const [query, expected] of rows) assert.deepEqual(await found(channelId, query), expected, query);

  const read = async (id: string): Promise<Json> => dataOf(await scene.admin.get(`/messages/${id}`));
  assert.equal((await read(reply.id)).threadId, threadId);
  assert.equal(reply.isThreadReply, true);
  assert.equal((await read(answer.id)).replyToId, first.id);
  assert.equal(answer.isThreadReply, false);
  assert.equal(byBot.type, 'agent');
  assert.equal(first.type, 'person');
  assert.equal((await read(botReply.id)).editedAt, null);
  assert.equal((await read(elsewhere.id)).channelId, elsewhere.channelId);
});

test("a message's targets must match each other", async () => {
  const { id: channelId } = await scene.channel();
  const other = await scene.message();
  const { id: threadId } = await scene.thread({ channelId });
  const foreign = await Scene.open(world);
  const content = 'Hello';
  for (const body of [
    { channelId, serverId: foreign.server.id },
    { threadId, channelId: other.channelId },
    { threadId, serverId: foreign.server.id },
    { channelId, replyToId: other.id },
  ]) {
    assertRefused(
      await scene.admin.post('/messages', { content, ...body }),
      'INVALID_REQUEST',
      JSON.stringify(body),
    );
  }
});

const searched = {
  plan: 'The release plan is ready',
  planned: 'We planned a release; ready?',
  order: 'plan release the',
  accents: 'Crème brûlée in São Paulo',
  german: 'Die Straße ist GESPERRT',
  greek: 'Καλημέρα κόσμε',
  cyrillic: 'Привет, мир',
  hebrew: 'שלום עולם',
  japanese: '東京 タワー',
  address: 'write to ada@example.com or see https://example.com/path?x=1',
  number: 'version 2.10.3 costs 1234',
  emoji: 'party 🎉 time',
  operators: 'AND OR NOT NEAR',
};
/** Queries, and the names of the texts that match. */
const queries: [string, (keyof typeof searched)[]][] = [
  ['release', ['plan', 'planned', 'order']],
  ['RELEASE', ['plan', 'planned', 'order']],
  ['rel', ['plan', 'planned', 'order']],
  ['plan', ['plan', 'planned', 'order']],
  ['planne', ['planned']],
  ['elease', []],
  ['release ready', ['plan', 'planned']],
  ['ready release', ['plan', 'planned']],
  ['release missing', []],
  ['"release plan"', ['plan']],
  ['"plan release"', ['order']],
  ['"the release" ready', ['plan']],
  ['creme brulee', ['accents']],
  ['crème', ['accents']],
  ['sao', ['accents']],
  ['straße', ['german']],
  ['gesperrt', ['german']],
  ['ΚΑΛΗΜΈΡΑ', ['greek']],
  ['привет', ['cyrillic']],
  ['МИР', ['cyrillic']],
  ['שלום', ['hebrew']],
  ['東京', ['japanese']],
  ['ada@example.com', ['address']],
  ['https://example.com', ['address']],
  ['2.10', ['number']],
  ['1234', ['number']],
  ['123', ['number']],
  ['party 🎉', ['emoji']],
  ['and or', ['operators']],
  ['NOT', ['operators']],
  ['NEAR', ['operators']],
];

test('`q` finds words, word prefixes and phrases, in every script', async () => {
  const { id: channelId } = await scene.channel();
  const ids = new Map<string, string>();
  for (const [name, content] of Object.entries(searched)) {
    const { id } = await scene.message({ channelId, content });
    ids.set(id, name);
  }
  await scene.message({ content: 'The release plan of another channel' });
  for (const [query, expected] of queries) {
    const answers = await found(channelId, `?order=asc&q=${encodeURIComponent(query)}`);
    assert.deepEqual(
      answers.map((id) => ids.get(id)),
      expected,
      query,
    );
  }
});

test('no text in q breaks the search or finds wrong messages', async () => {
  const { id: channelId } = await scene.channel();
  const { id } = await scene.message({ channelId, content: 'ordinary words' });
  await scene.message({ content: 'secret of another channel' });
  for (const query of [
    '"',
    '""',
    '"""',
    '*',
    'ordinary*',
    '^ordinary',
    'body:ordinary',
    'scope:secret',
    `scope : "${channelId.replaceAll('-', '')}"`,
    '(ordinary',
    'ordinary) OR (secret',
    'secret OR ordinary',
    'ordinary AND',
    'NOT secret',
    'NEAR(ordinary words, 5)',
    'ordinary + words',
    '{body} : secret',
    "' OR 1=1 --",
    '"; drop table message; --',
    '%',
    '_',
    '\\',
    '-secret',
    '🎉',
    '\u202e\u200b',
    'a '.repeat(100),
    '"a" '.repeat(50),
    'x'.repeat(200),
    '\u0301',
    'ﬀ',
  ]) {
    const answer = await scene.admin.get(`/channels/${channelId}/messages?q=${encodeURIComponent(query)}`);
    assert.ok(
      idsOf(dataOf(answer, query)).every((hit) => hit === id),
      query,
    );
  }
  assert.deepEqual(await found(channelId, '?q=ordinary*'), [id]);
  assert.deepEqual(await found(channelId, '?q='), [id]);
});

test('q reflects edits and deletes', async () => {
  const { id: channelId } = await scene.channel();
  const { id } = await scene.message({ channelId, content: 'before' });
  dataOf(await scene.admin.patch(`/messages/${id}`, { content: 'after' }));
  assert.deepEqual(await found(channelId, '?q=before'), []);
  assert.deepEqual(await found(channelId, '?q=after'), [id]);
  dataOf(await scene.admin.delete(`/messages/${id}`));
  assert.deepEqual(await found(channelId, '?q=after'), []);
});

test('reads mark a message as edited; the response to the edit does not', async () => {
  const message = await scene.message();
  const edited = dataOf(await scene.admin.patch(`/messages/${message.id}`, { content: 'Changed' }));
  assert.equal('editedAt' in edited, false);
  const read = dataOf(await scene.admin.get(`/messages/${message.id}`));
  assert.equal(read.content, 'Changed');
  assert.equal(read.editedAt, edited.updatedAt);
});

test('reactions are counted by emoji', async () => {
  const { id } = await scene.message();
  const made = [
    await scene.make('/reactions', { messageId: id, emoji: '👍' }),
    await scene.make('/reactions', { messageId: id, emoji: '👍' }, bot),
    await scene.make('/reactions', { messageId: id, emoji: '🎉' }, bot),
  ];
  assertRefused(await scene.admin.post('/reactions', { messageId: id, emoji: '👍' }), 'ALREADY_EXISTS');
  const reactions = async (): Promise<Json> => dataOf(await scene.admin.get(`/messages/${id}`)).reactions;
  assert.deepEqual(await reactions(), [
    { emoji: '👍', count: 2 },
    { emoji: '🎉', count: 1 },
  ]);
  dataOf(await scene.admin.delete(`/reactions/${made[0].id}`));
  dataOf(await bot.delete(`/reactions/${made[2].id}`));
  assert.deepEqual(await reactions(), [{ emoji: '👍', count: 1 }]);
});

test('pinnedMessagesPage: newest pin first, each with its pin', async () => {
  const { id: channelId } = await scene.channel();
  const older = await scene.message({ channelId });
  const newer = await scene.message({ channelId });
  const first = await scene.make('/pins', { messageId: newer.id });
  clock.advance(5);
  const second = await scene.make('/pins', { messageId: older.id });
  assertRefused(await scene.admin.post('/pins', { messageId: older.id }), 'ALREADY_EXISTS');
  const pins = await listAll(scene.admin, `/channels/${channelId}/pins`, 1);
  const shown = (pin: Json) => ({ id: pin.id, creatorId: scene.owner.id, createdAt: pin.createdAt });
  assert.deepEqual(
    pins.map(({ id, pin, pinned }) => ({ id, pin, pinned })),
    [
      { id: older.id, pin: shown(second), pinned: true },
      { id: newer.id, pin: shown(first), pinned: true },
    ],
  );
  dataOf(await scene.admin.delete(`/pins/${second.id}`));
  assert.equal(dataOf(await scene.admin.get(`/messages/${older.id}`)).pinned, false);
  assert.deepEqual(idsOf(await listAll(scene.admin, `/channels/${channelId}/pins`)), [newer.id]);
});
