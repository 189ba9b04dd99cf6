import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRefused, dataOf } from '../support/expect.ts';
import { contentsOf, messages, runsOf, runsWith } from '../support/flows.ts';
import { openOldWorld } from '../support/oldSchema.ts';
import { Scene } from '../support/scene.ts';
import { createDeps, q } from '../support/sources.ts';
import type { Answer, Json } from '../support/world.ts';

// Flows that were created before Palaver could run flows were written for other programs. They are kept as notes.

/** The last version of the schema in which flows were only stored. */
const VERSION = 56;

const { newId } = createDeps();
const [ada, server, channel] = [newId(), newId(), newId()];
const at = 1_000;

interface Old {
  id: string;
  trigger: unknown;
  steps: unknown;
}

const pong = [{ name: 'answer', do: 'message.send', channelId: channel, content: 'pong' }];
const olds: Record<'runnable' | 'scheduled' | 'foreign' | 'odd' | 'long', Old> = {
  runnable: { id: newId(), trigger: messages(channel), steps: pong },
  scheduled: {
    id: newId(),
    trigger: { on: 'schedule', cron: '* * * * *', timeZone: 'UTC' },
    steps: pong,
  },
  foreign: {
    id: newId(),
    trigger: { on: 'serverMember.created' },
    steps: [{ do: 'mail.send', to: "Ada's list", deep: { of: [1, null, true] } }],
  },
  odd: { id: newId(), trigger: 'on join', steps: ['greet them', 7, null, ['a', ['b']]] },
  long: { id: newId(), trigger: null, steps: Array.from({ length: 1_000 }, (_, step) => ({ do: step })) },
};

const quoted = (value: unknown): string => `'${JSON.stringify(value).replaceAll("'", "''")}'`;

const statements = [
  `insert into "user" (id, "createdAt", "updatedAt", username, name, type, "platformAdmin")
    values ('${ada}', ${at}, ${at}, 'ada', 'Ada', 'person', false)`,
  `insert into server (id, "createdAt", "updatedAt", name, private, "creatorId", "memberCount")
    values ('${server}', ${at}, ${at}, 'Old', false, '${ada}', 0)`,
  `insert into channel (id, "createdAt", "updatedAt", "serverId", name, "nameKey", private, readonly, position,
    "creatorId", "roleIds") values ('${channel}', ${at}, ${at}, '${server}', 'old', 'old', false, false, 0, '${ada}', '[]')`,
  ...Object.entries(olds).map(
    ([name, { id, trigger, steps }]) =>
      `insert into flow (id, "createdAt", "updatedAt", "serverId", name, description, enabled, trigger, steps, "creatorId")
        values ('${id}', ${at}, ${at}, '${server}', '${name}', 'Old', true, ${quoted(trigger)}, ${quoted(steps)}, '${ada}')`,
  ),
];

const world = await openOldWorld(VERSION, statements, { limits: { '*': 0 }, timers: true });
const owner = { id: ada };
const admin = await world.client({ id: server }, ['canAdmin'], owner);
const scene = new Scene({ world, owner, server: { id: server }, admin });

const read = async ({ id }: Old): Promise<Json> => dataOf(await admin.get(`/flows/${id}`));
const assertNote = (answer: Answer): void => {
  assertRefused(answer, 'INVALID_REQUEST');
  assert.match(answer.body.error.message, /note for other programs/);
};
const send = async (content: string): Promise<Json> =>
  dataOf(await admin.post('/messages', { channelId: channel, content }));

test('existing flows become notes that are off, and are shown in full', async () => {
  const listed: Json[] = dataOf(await admin.get(`/servers/${server}/flows?limit=100`));
  assert.equal(listed.length, Object.keys(olds).length);
  for (const [name, old] of Object.entries(olds)) {
    const flow = await read(old);
    assert.deepEqual(
      flow,
      {
        ...{ id: old.id, createdAt: at, updatedAt: at, serverId: server, name, description: 'Old' },
        ...{ enabled: false, trigger: old.trigger, steps: old.steps, kind: 'note', disabledReason: null },
        ...{ creatorId: ada, makerId: null, userId: null, roleId: null },
      },
      name,
    );
    assert.deepEqual(
      listed.find(({ id }) => id === old.id),
      flow,
      name,
    );
  }
});

test('a note cannot be run, dry-run or turned on before its steps are saved', async () => {
  const { id } = olds.runnable;
  assertNote(await admin.post(`/flows/${id}/run`, {}));
  assertNote(await admin.post(`/flows/${id}/try`, {}));
  assertNote(await admin.patch(`/flows/${id}`, { enabled: true }));
  const renamed = dataOf(
    await admin.patch(`/flows/${olds.foreign.id}`, { name: 'foreign', description: 'New' }),
  );
  assert.deepEqual([renamed.kind, renamed.enabled, renamed.description], ['note', false, 'New']);
  const timers = await world.data.db.read.all(q.selectFrom('timer').select('id'));
  assert.deepEqual(timers, []);
  assert.deepEqual(await world.data.db.read.all(q.selectFrom('flowState').select('id')), []);
});

test('saving a note, even without changes, makes it a flow if its trigger and steps are supported', async () => {
  const { id, trigger, steps } = olds.runnable;
  await send('before');
  const off = dataOf(await admin.patch(`/flows/${id}`, { trigger, steps }));
  assert.deepEqual([off.kind, off.enabled, off.makerId], ['flow', false, ada]);
  await send('still off');
  const on = dataOf(await admin.patch(`/flows/${id}`, { enabled: true }));
  assert.deepEqual([on.kind, on.enabled], ['flow', true]);
  await send('ping');
  await runsWith(scene, id, 'done');
  assert.deepEqual(await contentsOf(scene, channel), ['before', 'still off', 'ping', 'pong']);
  assert.equal((await runsOf(scene, id)).length, 1);
  for (const [old, named] of [
    [olds.foreign, /serverMember\.created/],
    [olds.odd, /trigger/],
  ] as const) {
    const { trigger, steps } = old;
    const refused = await admin.patch(`/flows/${old.id}`, { trigger, steps });
    assertRefused(refused, 'INVALID_REQUEST');
    assert.match(refused.body.error.message, named);
    assert.equal((await read(old)).kind, 'note');
  }
  const { id: scheduled } = olds.scheduled;
  const saved = dataOf(
    await admin.patch(`/flows/${scheduled}`, { ...olds.scheduled, id: undefined, enabled: true }),
  );
  assert.deepEqual([saved.kind, saved.enabled], ['flow', true]);
});
