import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertRefused, dataOf } from '../support/expect.ts';
import { png } from '../support/pictures.ts';
import { upload } from '../support/uploads.ts';
import { type Client, type Json, World } from '../support/world.ts';

// Message blocks: permissions, contents, and where they are shown.

let world: World;
let server: Json;
let admin: Client;
let bot: Client;
let channel: Json;
before(async () => {
  world = await World.open();
  const owner = await world.user();
  server = await world.server(owner);
  admin = await world.client(server, ['canAdmin'], owner);
  bot = await world.client(server, ['canEditData'], await world.user({ agent: true }));
  channel = dataOf(await admin.post('/channels', { name: 'blocks' }));
});
after(() => world.close());

const approval = {
  type: 'actions',
  id: 'a1',
  elements: [
    { type: 'button', id: 'ok', text: 'Approve', value: '1', style: 'primary' },
    { type: 'select', id: 'where', options: [{ text: 'Here', value: 'h' }], initial: 'h' },
    { type: 'date', id: 'when', initial: '2027-01-31' },
    {
      type: 'form',
      id: 'why',
      text: 'Explain…',
      fields: [
        { type: 'text', id: 'reason', label: 'Reason', required: true },
        { type: 'multiline', id: 'more', label: 'More', maxLength: 10, initial: 'x' },
        { type: 'select', id: 'kind', label: 'Kind', options: [{ text: 'A', value: 'a' }] },
        { type: 'date', id: 'day', label: 'Day' },
        { type: 'checkbox', id: 'sure', label: 'Sure', initial: false },
      ],
    },
  ],
};
const every = [
  { type: 'section', text: 'Deploy **41**', button: { type: 'button', id: 'more', text: 'More' } },
  { type: 'divider' },
  { type: 'context', id: 'b1', text: 'By the bot' },
  approval,
  { type: 'taskList', title: 'Steps', tasks: [{ text: 'Build', state: 'done' }] },
];
const numbered = every.map((block, index) => ({ ...block, id: ['b2', 'b3', 'b1', 'a1', 'b4'][index] }));

const send = (blocks: unknown, more: Json = {}, client = bot) =>
  client.post('/messages', { channelId: channel.id, content: 'Ready', blocks, ...more });
/** The server's latest events. */
const latest = async (client: Client): Promise<Json[]> => (await client.get('/events?limit=100')).data;
const shown = async ({ id }: Json, client = admin): Promise<Json> =>
  dataOf(await client.get(`/messages/${id}`));

test('an agent sends and edits blocks, which all reads return with their ids', async () => {
  const message = dataOf(await send(every));
  assert.equal('blocks' in message, false);
  const found = await shown(message);
  assert.deepEqual(found.blocks, numbered);
  const page = dataOf(await admin.get(`/channels/${channel.id}/messages?limit=1`));
  assert.deepEqual(page, [found]);
  const byAuthor = `/channels/${channel.id}/messages?limit=1&creatorId=${bot.secret.userId}`;
  assert.deepEqual(dataOf(await admin.get(byAuthor)), [found]);
  const events = await latest(admin);
  assert.deepEqual(events.find(({ data }) => data.id === message.id)?.data, found);

  const blocks = [{ type: 'context', id: 'x', text: 'Done' }];
  dataOf(await bot.patch(`/messages/${message.id}`, { blocks }));
  const changed = await shown(message);
  assert.deepEqual([changed.blocks, changed.editedAt, changed.content], [blocks, null, 'Ready']);
  assert.ok(changed.updatedAt > found.updatedAt);
  const repeated = dataOf(await bot.patch(`/messages/${message.id}`, { blocks }));
  assert.equal(repeated.updatedAt, changed.updatedAt);
  dataOf(await bot.patch(`/messages/${message.id}`, { content: 'Over', blocks: [] }));
  const over = await shown(message);
  assert.equal('blocks' in over, false);
  assert.equal(over.content, 'Over');
  assert.ok(over.editedAt !== null);
});

test('only agents send blocks, and only their author changes them', async () => {
  const person = await world.client(server, ['canEditData'], await world.user());
  const refused = await send(every, {}, person);
  assertRefused(refused, 'FORBIDDEN');
  assert.match(refused.body.error.message, /only agents can send blocks/);
  dataOf(await send([], {}, person));
  const message = dataOf(await send(every));
  const other = await world.client(server, ['canModerate'], await world.user({ agent: true }));
  for (const client of [admin, other])
    assertRefused(await client.patch(`/messages/${message.id}`, { blocks: [] }), 'FORBIDDEN');
  dataOf(await other.patch(`/messages/${message.id}`, { content: 'Moderated' }));
  assert.deepEqual((await shown(message)).blocks, numbered);
});

test('a message without content has blocks, and notifications show their text', async () => {
  const reader = await world.user();
  const client = await world.client(server, ['canEditData'], reader);
  const asked = dataOf(await client.post('/messages', { channelId: channel.id, content: 'Status?' }));
  const message = dataOf(await send(every, { content: '', replyToId: asked.id }));
  assert.equal(message.content, '');
  assertRefused(await bot.patch(`/messages/${message.id}`, { blocks: [] }), 'INVALID_REQUEST', '', 'content');
  const [told] = dataOf(await client.get('/notifications?excerpts=true'));
  assert.equal(told.excerpt, 'Deploy 41 By the bot Steps, Build');
  const { id } = dataOf(await send([approval], { content: undefined, replyToId: asked.id }));
  const [next] = dataOf(await client.get('/notifications?excerpts=true'));
  assert.deepEqual([next.messageId, next.excerpt], [id, 'Approve · Explain…']);
  assertRefused(await send([], { content: '' }), 'INVALID_REQUEST', '', 'content');
});

test('an image block shows a file of the message', async () => {
  const file = dataOf(await upload(world, bot, new Uint8Array(png(2, 2)), 'chart.png'));
  const text = dataOf(await upload(world, bot));
  const image = (attachmentId: string) => [{ type: 'image', id: 'i', attachmentId, alt: 'A chart' }];
  const attached = { attachmentIds: [file.id, text.id] };
  assertRefused(await send(image(text.id), attached), 'INVALID_REQUEST', '', 'blocks.0.attachmentId');
  assertRefused(await send(image(file.id)), 'INVALID_REQUEST', '', 'blocks.0.attachmentId');
  const beside = [{ type: 'section', text: 'See', image: { attachmentId: text.id, alt: 'No' } }];
  assertRefused(await send(beside, attached), 'INVALID_REQUEST', '', 'blocks.0.image.attachmentId');
  const message = dataOf(await send(image(file.id), attached));
  assert.deepEqual((await shown(message)).blocks, image(file.id));
});

const button = { type: 'button', id: 'ok', text: 'OK' };
const actions = (...elements: unknown[]) => [{ type: 'actions', id: 'a', elements }];
const inForm = (...fields: unknown[]) => actions({ type: 'form', id: 'f', text: 'F', fields });
const option = { text: 'A', value: 'a' };
const hostile: [string, unknown, string][] = [
  ['a number', [5], 'blocks.0'],
  ['a list', [[]], 'blocks.0'],
  ['a text as a button', actions('x'), 'blocks.0.elements.0'],
  ['null as a field', inForm(null), 'blocks.0.elements.0.fields.0'],
  ['no type', [{ text: 'x' }], 'blocks.0'],
  ['an unknown type', [{ type: 'script', text: 'x' }], 'blocks.0.type'],
  ['too many', Array.from({ length: 51 }, () => ({ type: 'divider' })), 'blocks'],
  ['too large', Array.from({ length: 5 }, () => ({ type: 'section', text: 'x'.repeat(4000) })), 'blocks'],
  [
    'an id twice',
    [
      { type: 'divider', id: 'a' },
      { type: 'divider', id: 'a' },
    ],
    'blocks.1.id',
  ],
  ['a strange id', [{ type: 'divider', id: '../a' }], 'blocks.0.id'],
  ['a blank text', [{ type: 'section', text: '\u200b' }], 'blocks.0.text'],
  ['a long text', [{ type: 'section', text: 'x'.repeat(4001) }], 'blocks.0.text'],
  ['actions without id', [{ type: 'actions', elements: [button] }], 'blocks.0.id'],
  ['actions without elements', actions(), 'blocks.0.elements'],
  ['an element twice', actions(button, button), 'blocks.0.elements.1.id'],
  ['a hostile label', actions({ ...button, text: 'a\u202eb' }), 'blocks.0.elements.0.text'],
  ['a label of two lines', actions({ ...button, text: 'a\nb' }), 'blocks.0.elements.0.text'],
  [
    'a select without options',
    actions({ type: 'select', id: 's', options: [] }),
    'blocks.0.elements.0.options',
  ],
  [
    'an option twice',
    actions({ type: 'select', id: 's', options: [option, option] }),
    'blocks.0.elements.0.options.1.value',
  ],
  [
    'a strange choice',
    actions({ type: 'select', id: 's', options: [option], initial: 'b' }),
    'blocks.0.elements.0.initial',
  ],
  ['no day', actions({ type: 'date', id: 'd', initial: '2027-02-30' }), 'blocks.0.elements.0.initial'],
  ['a form without fields', inForm(), 'blocks.0.elements.0.fields'],
  [
    'a field twice',
    inForm({ type: 'text', id: 'x', label: 'X' }, { type: 'date', id: 'x', label: 'X' }),
    'blocks.0.elements.0.fields.1.id',
  ],
  [
    'a long initial text',
    inForm({ type: 'text', id: 'x', label: 'X', maxLength: 2, initial: 'abc' }),
    'blocks.0.elements.0.fields.0.initial',
  ],
  [
    'a form in a form',
    inForm({ type: 'form', id: 'x', text: 'X', fields: [] }),
    'blocks.0.elements.0.fields.0.type',
  ],
  ['nobody to decide', [{ ...actions(button)[0], deciders: { userIds: [] } }], 'blocks.0.deciders'],
  [
    'a stranger to decide',
    [{ ...actions(button)[0], deciders: { userIds: ['0'] } }],
    'blocks.0.deciders.userIds.0',
  ],
];

describe('invalid blocks are refused', () => {
  for (const [what, blocks, path] of hostile)
    test(what, async () => assertRefused(await send(blocks), 'INVALID_REQUEST', what, path));
  test('an agent, or a role from another server, cannot be a decider', async () => {
    const other = await world.server(await world.user());
    const role = await world.defaultRole(other);
    const deciding = (deciders: Json) => send([{ ...actions(button)[0], deciders }]);
    const path = 'blocks.0.deciders';
    const agent = await deciding({ userIds: [bot.secret.userId] });
    assertRefused(agent, 'INVALID_REQUEST', '', `${path}.userIds.0`);
    assertRefused(await deciding({ roleIds: [role.id] }), 'INVALID_REQUEST', '', `${path}.roleIds.0`);
    assertRefused(await deciding({ roleIds: ['nothing'] }), 'NOT_FOUND');
  });
});

test('unknown fields and made-up decisions are not stored', async () => {
  const decider = await world.user();
  await world.member(server, decider);
  const deciders = { userIds: [decider.id] };
  const given = {
    ...approval,
    deciders,
    decisions: [{ id: 'x', userId: decider.id }],
    decidedAt: 1,
    html: '<b>',
  };
  const message = dataOf(await send([given]));
  assert.deepEqual((await shown(message)).blocks, [{ ...approval, deciders }]);
});

test('a deleted message leaves no blocks in the log', async () => {
  const message = dataOf(await send([{ type: 'section', text: 'A secret in a block' }]));
  dataOf(await bot.patch(`/messages/${message.id}`, { content: 'Changed' }));
  assert.match(JSON.stringify(await latest(bot)), /A secret in/);
  dataOf(await bot.delete(`/messages/${message.id}`));
  const events = await latest(bot);
  assert.ok(events.some(({ type, data }: Json) => type === 'message.deleted' && data.id === message.id));
  assert.doesNotMatch(JSON.stringify(events), /A secret in/);
});
