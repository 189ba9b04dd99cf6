import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { events, operations } from '../../server/src/resources/index.ts';
import { eventCases } from '../support/eventCases.ts';
import { type EventCase, EventStage, type Line } from '../support/eventStage.ts';
import { dataOf } from '../support/expect.ts';
import { endOf, type Logged, logOf } from '../support/log.ts';
import { type Json, World } from '../support/world.ts';

let world: World;
before(async () => {
  world = await World.open();
});
after(() => world.close());

/** Every type that a request has been seen to append. */
const seen = new Set<string>();

test('every endpoint that writes has a case', () => {
  const writing = operations.filter(({ does }) => does === 'write').map(({ operation }) => operation);
  const covered = new Set(eventCases.map(({ operation }) => operation));
  assert.deepEqual(
    writing.filter((operation) => !covered.has(operation)),
    [],
  );
});

for (const one of eventCases) {
  test(`${one.operation}: ${one.what}`, () => assertEvents(one));
}

test('every type is seen, but for those that no request appends', () => {
  const unseen = events.logged.map(({ type }) => type).filter((type) => !seen.has(type));
  assert.deepEqual(unseen, ['flow.created', 'server.created']);
});

async function assertEvents({ write }: EventCase): Promise<void> {
  const stage = await EventStage.open(world);
  const { method, path, body, as = stage.home.admin, home, away } = await write(stage);
  const servers = [stage.home.server.id, stage.away.server.id] as const;
  const before = await Promise.all(servers.map((serverId) => endOf(world, serverId)));
  const call = { POST: as.post, PATCH: as.patch, DELETE: as.delete }[method];
  const made = dataOf(await call(path, body), path);
  const logs = await Promise.all(servers.map((serverId, index) => logOf(world, serverId, before[index])));
  for (const [index, expected] of [home, away].entries()) {
    assertLog(logs[index] as Logged[], expected?.(made) ?? [], as.secret.userId);
  }
}

/** Holds a part of a log against what is expected of it: exactly these events in this order, with at least these fields. */
function assertLog(log: readonly Logged[], expected: readonly Line[], actorId: string): void {
  assert.deepEqual(
    log.map(({ type }) => type),
    expected.map(([type]) => type),
  );
  for (const [index, [type, fields]] of expected.entries()) {
    const { data, ...event } = log[index] as Logged;
    seen.add(type);
    assert.equal(event.actorId, actorId, `whose doing ${type} was`);
    assert.equal(event.channelId, placeOf(type, data), `the channel of ${type}`);
    assertFields(data, fields, type);
  }
}

/** The channel that an event is about, which decides who is told. */
const placeOf = (type: string, data: Json): string | null =>
  type.startsWith('channel.') ? data.id : (data.channelId ?? null);

/** Holds fields against the data of an event; within a list all must be there. */
function assertFields(data: Json, fields: Json, where: string): void {
  for (const [name, value] of Object.entries(fields)) {
    const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (isRecord && data[name] !== null) assertFields(data[name], value, `${where}: ${name}`);
    else assert.deepEqual(data[name], value, `${where}: ${name}`);
  }
}
