import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Browser, giveAccount } from '../support/account.ts';
import { unpack } from '../support/archives.ts';
import { channelOf, exportOf, grace, idAt, moving } from '../support/moving.ts';
import { Stage } from '../support/process.ts';
import { type Client, type Json, listAll, World } from '../support/world.ts';

// Imported history among native messages: order, search, jumps, unread state, events and refusals.

const DAY = 24 * 60 * 60_000;
const stage = new Stage();
let world: World;
let server: Json;
let owner: Json;
let admin: Client;
let channel: Json;
const now = Date.now();
const times = [now - 4000 * DAY, now - 2000 * DAY, now - 1000 * DAY, now - 2 * DAY];
const general = channelOf(times[0] as number, 'general');
const messageAt = (time: number, number: number, fields: object = {}) => ({
  ...{ id: idAt(time, number), createdAt: time, editedAt: null, channelId: general.id, creatorId: grace.id },
  ...{ type: 'person', content: `history ${number}`, ...fields },
});

before(async () => {
  world = await World.open();
  owner = await world.user({ username: 'owner' });
  await giveAccount(world, owner);
  server = await world.server(owner);
  admin = await world.client(server, ['canAdmin'], owner);
  channel = (await admin.post('/channels', { name: 'General' })).data;
});
after(async () => {
  await world.close();
  await stage.close();
});

const imported = async (rows: Record<string, readonly object[]>, ...more: string[]) =>
  moving(
    ...([stage, world, 'import', exportOf(join(stage.folder(), 'export'), rows)] as const),
    ...['--from', 'palaver', '--server', server.id, ...more],
  );

test('imported history is listed and found at its time, between native messages', async () => {
  const native = [];
  for (const content of ['native one', 'native two'])
    native.push(
      (await admin.post('/messages', { channelId: channel.id, content: `${content} history` })).data.id,
    );
  // The messages are not in chronological order.
  const messages = [2, 0, 3, 1].map((index) => messageAt(times[index] as number, index + 1));
  const cursor = (await admin.get('/events?wait=0')).body.nextCursor;
  const notified = (await admin.get('/notifications')).data.length;
  const done = await imported({ people: [grace], channels: [general], messages });
  assert.equal(done.code, 0, done.stderr);
  assert.deepEqual(done.report.messages, { found: 4, written: 4, present: 0, lost: 0, reasons: [] });
  assert.deepEqual([done.report.channels.present, done.report.channels.written], [1, 0], 'the same channel');
  native.push(
    (await admin.post('/messages', { channelId: channel.id, content: 'native three history' })).data.id,
  );
  const expected = [...times.map((time, index) => idAt(time, index + 1)), ...native];
  const read = async (path: string) => (await listAll(admin, path)).map(({ id }) => id);
  const path = `/channels/${channel.id}/messages`;
  assert.deepEqual(await read(`${path}?order=asc`), expected);
  assert.deepEqual(await read(path), expected.toReversed());
  for (const place of [path, `/servers/${server.id}/messages`])
    assert.deepEqual(await read(`${place}?q=history`), expected.toReversed(), place);
  assert.deepEqual(
    await read(`${path}?after=${(times[0] as number) + 1}&before=${now - DAY}`),
    expected.slice(1, 4).toReversed(),
  );
  const around = (await admin.get(`${path}?around=${expected[1]}&limit=3`)).data;
  assert.deepEqual(
    around.map(({ id }: Json) => id),
    expected.slice(0, 3).toReversed(),
  );

  const { data: events } = await admin.get(`/events?after=${encodeURIComponent(cursor)}&wait=0`);
  const types = events.map(({ type }: Json) => type);
  assert.deepEqual(types, ['import.finished', 'message.created']);
  assert.equal((await admin.get('/notifications')).data.length, notified);
});

test('no imported message is unread, and members are counted', async () => {
  const { data: before } = await admin.get(`/servers/${server.id}`);
  const later = { ...general, id: idAt(now, 1), name: 'later', createdAt: now };
  // The message is newer than the owner's membership.
  const message = messageAt(now, 1, { channelId: later.id });
  const done = await imported({
    people: [grace, { ...grace, id: idAt(0, 8), username: 'lin' }],
    channels: [later],
    messages: [message],
  });
  assert.equal(done.code, 0, done.stderr);
  assert.deepEqual([done.report.people.written, done.report.people.present], [1, 1]);
  const { data: after } = await admin.get(`/servers/${server.id}`);
  assert.equal(after.memberCount, before.memberCount + 1);
  const browser = await Browser.of(world, owner, server);
  const { data: reading } = await browser.get(`/reading`);
  const found = reading.channels.find(({ channelId }: Json) => channelId === later.id);
  assert.equal(found.unread, 0);
});

test('an import that only adds members or threads is announced, and one that adds nothing is not', async () => {
  const other = await world.server(owner);
  const member = await world.client(other, ['canAdmin'], owner);
  const { memberCount } = (await member.get(`/servers/${other.id}`)).data;
  const cursor = (await member.get('/events?wait=0')).body.nextCursor;
  const announced = async () =>
    (await member.get(`/events?after=${encodeURIComponent(cursor)}&wait=0`)).data.map(
      ({ type }: Json) => type,
    );
  const into = async (rows: Record<string, readonly object[]>) => {
    const path = exportOf(join(stage.folder(), 'export'), rows);
    const done = await moving(stage, world, 'import', path, '--from', 'palaver', '--server', other.id);
    assert.equal(done.code, 0, done.stderr);
    assert.equal(done.report.people.written, 0);
  };
  const pier = { ...general, id: idAt(now, 21), name: 'pier' };
  const thread = { id: idAt(now, 22), createdAt: now, channelId: pier.id, messageId: null, name: 'Boats' };
  const threads = [{ ...thread, creatorId: grace.id, locked: false }];
  await into({ people: [grace] });
  assert.equal((await member.get(`/servers/${other.id}`)).data.memberCount, memberCount + 1);
  assert.deepEqual(await announced(), ['import.finished']);
  await into({ people: [grace], channels: [pier] });
  await into({ people: [grace], channels: [pier], threads });
  assert.deepEqual(await announced(), ['import.finished', 'import.finished', 'import.finished']);
  await into({ people: [grace], channels: [pier], threads });
  assert.equal((await announced()).length, 3);
});

test('a file that could not be fetched is reported as lost in every import, even if its message already exists', async () => {
  const post = { type: 'message', user: 'U1', text: 'Look', ts: '1700000000.000100' };
  const files = [{ id: 'F01', name: 'gone.txt', size: 9, url_private: 'http://127.0.0.1:1/gone.txt' }];
  const kept = { ...post, ts: '1700000001.000100', files: [{ id: 'F02', name: 'here.txt', size: 4 }] };
  const path = join(stage.folder(), 'slack');
  unpack(
    {
      'users.json': JSON.stringify([{ id: 'U1', name: 'uma' }]),
      'channels.json': JSON.stringify([{ id: 'C1', name: 'pictures', members: ['U1'] }]),
      'pictures/2023-11-14.json': JSON.stringify([{ ...post, files }, kept]),
      'attachments/F02-here.txt': 'here',
    },
    path,
  );
  const found = [];
  for (const _ of ['once', 'twice']) {
    const done = await moving(stage, world, 'import', path, '--from', 'slack', '--server', server.id);
    assert.equal(done.code, 0, done.stderr);
    found.push(done.report.files);
  }
  const reasons = [{ reason: 'could not be fetched', count: 1 }];
  assert.deepEqual(found, [
    { found: 2, written: 1, present: 0, lost: 1, reasons },
    { found: 2, written: 0, present: 1, lost: 1, reasons },
  ]);
});

test('the report contains long texts, lost rows and taken names', async () => {
  const other = {
    ...general,
    id: idAt(1_000_000_000_000, 3),
    name: 'LATER',
    private: true,
    memberIds: [grace.id],
  };
  const messages = [
    messageAt(1_000_000_000_000, 11, { channelId: other.id, content: 'word '.repeat(4_000) }),
    messageAt(1_000_000_000_001, 12, { channelId: other.id, content: 'word '.repeat(40_000) }),
    messageAt(1_000_000_000_002, 13, { channelId: idAt(5, 5) }),
    messageAt(1_000_000_000_003, 14, { channelId: other.id, creatorId: idAt(6, 6) }),
    messageAt(1_000_000_000_004, 15, { channelId: other.id, content: ' ' }),
    messageAt(1_000_000_000_005, 16, {
      channelId: other.id,
      creatorId: null,
      type: 'system',
      content: 'renamed',
    }),
  ];
  const reactions = [
    { messageId: messages[0]?.id, emoji: '👍', userId: grace.id, count: 1, id: idAt(9, 1), createdAt: 9 },
    { messageId: messages[0]?.id, emoji: '👍', userId: null, count: 4 },
  ];
  const rows = { people: [grace, grace], channels: [other], messages, reactions };
  const planned = await imported(rows, '--dry-run');
  const done = await imported(rows);
  assert.equal(done.code, 0, done.stderr);
  assert.deepEqual(done.report, planned.report);
  const { found, written, lost, reasons } = done.report.messages;
  assert.deepEqual([found, written, lost, reasons.length], [6, 3, 3, 5]);
  const twice = { reason: 'is in the archive more than once, and counts once', count: 1 };
  assert.deepEqual([done.report.people.found, done.report.people.reasons], [1, [twice]]);
  assert.deepEqual([done.report.reactions.written, done.report.reactions.found], [5, 5]);
  const { data: channels } = await admin.get(`/servers/${server.id}/channels`);
  const made = channels.find(({ id }: Json) => id === other.id);
  assert.deepEqual([made.name, made.private], ['LATER-2', true]);
  const all = await listAll(admin, `/channels/${other.id}/messages?order=asc`);
  assert.deepEqual(all.map(({ content, type }) => [content.length <= 8_000, type]).length, 5);
  assert.equal(
    all
      .slice(0, 3)
      .map(({ content }) => content)
      .join(''),
    'word '.repeat(4_000),
  );
  assert.equal(all[3].attachments[0].bytes, 200_000);
  assert.deepEqual([all[4].type, all[0].reactions], ['system', [{ emoji: '👍', count: 5 }]]);
});

test('impossible times, hostile rows and full quotas are refused before anything is written', async () => {
  const at = (time: number) => ({
    people: [grace],
    channels: [{ ...general, id: idAt(3, 3), name: 'never' }],
    messages: [messageAt(time, 1, { id: idAt(3, 4), channelId: idAt(3, 3) })],
  });
  for (const time of [0, Date.UTC(1989, 11, 31), now + 2 * DAY, 8_640_000_000_000_000])
    assert.match((await imported(at(time))).stderr, /impossible time/);
  const wrong: [Record<string, readonly object[]>, RegExp][] = [
    [{ people: [{ ...grace, id: "x' or 1=1" }] }, /people.jsonl, line 1: id must be an id/],
    [{ people: [{ ...grace, type: 'system' }] }, /type must be one of/],
    [{ people: [['a']] }, /is not a JSON object/],
    [{ channels: [{ ...general, memberIds: [1] }] }, /memberIds must be a list of ids/],
    [
      { pins: [{ id: idAt(1), messageId: idAt(1), createdAt: 1, creatorId: null }] },
      /pins.jsonl has rows of a message/,
    ],
  ];
  for (const [rows, reason] of wrong) assert.match((await imported(rows)).stderr, reason);
  const none = await moving(
    stage,
    world,
    'import',
    stage.folder(),
    '--from',
    'palaver',
    '--server',
    server.id,
  );
  assert.match(none.stderr, /not a Palaver export/);
  const many = Array.from({ length: 2_001 }, (_, index) => ({
    ...general,
    id: idAt(4, index + 1),
    name: `many ${index}`,
  }));
  assert.match((await imported({ people: [grace], channels: many })).stderr, /quota "channels" allows 2000/);
  const { data: channels } = await admin.get(`/servers/${server.id}/channels`);
  assert.ok(!channels.some(({ name }: Json) => name === 'never' || name.startsWith('many')));
});
