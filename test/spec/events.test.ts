import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import {
  commandTypes,
  eventTypes,
  interactionTypes,
  liveEventTypes,
  loggedPeopleTypes,
  pathOf,
  type WriteRow,
  writes,
} from '../rows/index.ts';
import { type EventCase, EventStage, type Line } from '../support/eventStage.ts';
import { dataOf } from '../support/expect.ts';
import { endOf, type Logged, logOf } from '../support/log.ts';
import { type Json, World } from '../support/world.ts';

let world: World;
before(async () => {
  world = await World.open();
});
after(() => world.close());

/** Every type that the requests have appended so far. */
const seen = new Set<string>();

for (const row of writes) {
  for (const one of row.events) test(`${row.name}: ${one.what}`, () => assertEvents(row, one));
}

test('the event types match docs/tables.md', async () => {
  const page = await readFile(join(import.meta.dirname, '../../docs/tables.md'), 'utf8');
  const [, section = ''] = /^## Events$(.*?)^## /ms.exec(`${page}\n## `) ?? [];
  const listed = [...section.matchAll(/^\| (\w+\.\w+) \|/gm)].map(([, type]) => type as string);
  assert.deepEqual(
    listed.sort(),
    [...eventTypes, ...liveEventTypes, ...loggedPeopleTypes, ...commandTypes, ...interactionTypes].sort(),
  );
});

test('every type occurs, except those that no request appends', () => {
  const unseen = eventTypes.filter((type) => !seen.has(type));
  // Types tested elsewhere: uploads append `attachment.created` and `emoji.created` (files/), only people
  // create and delete servers (spec/people) and mark notifications as read (spec/people.live), exports update
  // in the background, erasures delete reports (spec/reports), and word rules hold messages (spec/wordRules).
  const elsewhere = ['attachment.created', 'emoji.created'];
  const byOthers = [
    'export.updated',
    'heldMessage.created',
    'notification.updated',
    'report.deleted',
    'server.created',
    'server.deleted',
  ];
  assert.deepEqual(unseen.sort(), [...elsewhere, ...byOthers]);
  assert.deepEqual(
    [...seen].filter((type) => !eventTypes.includes(type) && !interactionTypes.includes(type)),
    [],
    'types without a noun',
  );
});

async function assertEvents(row: WriteRow, { write }: EventCase): Promise<void> {
  const stage = await EventStage.open(world);
  const { id, body, as = stage.home.admin, home, away } = await write(stage);
  const servers = [stage.home.server.id, stage.away.server.id] as const;
  const before = await Promise.all(servers.map((serverId) => endOf(world, serverId)));
  const call = { POST: as.post, PATCH: as.patch, DELETE: as.delete }[row.method];
  const made = dataOf(await call(pathOf(row, id), body), row.name);
  const logs = await Promise.all(servers.map((serverId, index) => logOf(world, serverId, before[index])));
  for (const [index, expected] of [home, away].entries()) {
    assertLog(logs[index] as Logged[], expected?.(made) ?? [], as.secret.userId);
  }
}

/** Asserts that a part of a log has exactly these events in this order, with at least these fields. */
function assertLog(log: readonly Logged[], expected: readonly Line[], actorId: string): void {
  assert.deepEqual(
    log.map(({ type }) => type),
    expected.map(([type]) => type),
  );
  for (const [index, [type, fields]] of expected.entries()) {
    const { data, ...event } = log[index] as Logged;
    seen.add(type);
    // An approved message is sent by its author.
    const isApproved = type === 'message.created' && expected[0]?.[0] === 'heldMessage.deleted';
    assert.equal(event.actorId, isApproved ? data.creatorId : actorId, `the actor of ${type}`);
    assert.equal(event.channelId, placeOf(type, data), `the channel of ${type}`);
    assertFields(data, fields, type);
  }
}

/** The channel of an event, which determines who receives it. */
const placeOf = (type: string, data: Json): string | null =>
  type.startsWith('channel.') ? data.id : (data.channelId ?? null);

/** Asserts that an event's data has these fields. Lists must match entirely. */
function assertFields(data: Json, fields: Json, where: string): void {
  for (const [name, value] of Object.entries(fields)) {
    const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (isRecord && data[name] !== null) assertFields(data[name], value, `${where}: ${name}`);
    else assert.deepEqual(data[name], value, `${where}: ${name}`);
  }
}

test('a webhook can subscribe to each event type, and to all types of a noun', async () => {
  const { home } = await EventStage.open(world);
  const nouns = new Set(eventTypes.map((type) => `${type.split('.')[0]}.*`));
  for (const type of [...eventTypes, ...nouns])
    assert.deepEqual((await home.webhook({ types: [type] })).types, [type]);
});
