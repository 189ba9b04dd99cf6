import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { operations, pathOf, type Row, requestOf } from '../rows/index.ts';
import { Browser } from '../support/account.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { Scene } from '../support/scene.ts';
import { type Answer, type Client, type Json, World } from '../support/world.ts';

// Runs every operation in test/rows with the same person's key and session, and compares the responses.

/** Operations about the key itself. */
const ofKeys = ['userMe', 'ticketInsert'];

let world: World;
let scene: Scene;
let browser: Browser;
/** A member whose roles have no flags, with a key for such a role and a session. */
let plain: { key: Client; browser: Browser };

before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
  browser = await Browser.of(world, scene.owner, scene.server);
  const user = await world.user();
  const { id: defaultRole } = await world.defaultRole(scene.server);
  await world.member(scene.server, user);
  const [role] = dataOf(await scene.admin.get(`/servers/${scene.server.id}/members`))
    .filter(({ userId }: Json) => userId === user.id)
    .map(({ roleIds }: Json) => roleIds);
  assert.deepEqual(role, [defaultRole]);
  const none = { canEditData: false, canViewData: false };
  dataOf(await scene.admin.patch(`/roles/${defaultRole}`, none));
  plain = {
    key: await world.client(scene.server, [], user),
    browser: await Browser.of(world, user, scene.server),
  };
});
after(() => world.close());

async function send(row: Row, by: Pick<Client, 'get' | 'post' | 'patch' | 'delete'>): Promise<Answer> {
  const { id, body } = await requestOf(row, scene);
  const path = pathOf(row, id);
  if (row.method === 'GET') return by.get(path);
  return { POST: by.post, PATCH: by.patch, DELETE: by.delete }[row.method](path, body);
}

/**
 * Returns the structure of a value: its keys and the types below them. For a list, returns the structure of its first
 * element.
 */
function formOf(value: Json): unknown {
  if (Array.isArray(value)) return value.length > 0 ? [formOf(value[0])] : [];
  if (value === null || typeof value !== 'object') return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, formOf(one)]));
}

/** Returns an error's details, without the ids of records that each request creates. */
const withoutIds = (details: Json): Json =>
  details && !Array.isArray(details) ? { ...details, ids: undefined, id: undefined } : details;

/** For a list, only the field names of the first record: the records may differ, and fields may be null. */
const shapeOf = (row: Row, body: Json): unknown =>
  row.method === 'GET' && Array.isArray(body.data)
    ? { ...(formOf({ ...body, data: 0, nextCursor: null }) as object), fields: Object.keys(body.data[0]) }
    : formOf({ ...body, nextCursor: null });

for (const row of operations.filter(({ name }) => !ofKeys.includes(name))) {
  test(`${row.name}: a session gets the same response as a key`, async () => {
    const [key, session] = [await send(row, scene.admin), await send(row, browser.api)];
    assert.equal(key.status, 200, JSON.stringify(key.body));
    assert.equal(session.status, 200, JSON.stringify(session.body));
    assert.deepEqual(shapeOf(row, session.body), shapeOf(row, key.body));
  });
}

describe('without any flags', () => {
  for (const row of operations.filter(({ name }) => !ofKeys.includes(name)))
    test(`${row.name}: the same error, or the same response`, async () => {
      const [key, session] = [await send(row, plain.key), await send(row, plain.browser.api)];
      assert.equal(session.status, key.status, JSON.stringify([key.body, session.body]));
      const { error: known } = key.body;
      const { error } = session.body;
      assert.equal(error?.code, known?.code);
      assert.deepEqual(withoutIds(error?.details), withoutIds(known?.details));
    });
});

test("an Idempotency-Key is shared by a person's keys and sessions", async () => {
  const { id: channelId } = await scene.channel();
  const body = { channelId, content: 'Once' };
  const headers = { 'idempotency-key': 'once and for all' };
  const first = dataOf(await scene.admin.post('/messages', body, headers));
  const again = await browser.api.post('/messages', body, headers);
  assert.equal(dataOf(again).id, first.id);
  assert.equal(again.headers.get('idempotency-replayed'), 'true');
  const other = { channelId, content: 'Another' };
  assertRefused(await browser.api.post('/messages', other, headers), 'INVALID_REQUEST');
});

test("all of a person's keys and sessions share one limit", async () => {
  const strict = await World.open({ limits: { '*': 0, message: 3 }, place: world.place });
  try {
    const by = new Browser(strict);
    by.cookie = browser.cookie;
    by.place = browser.place;
    const key = strict.as(scene.admin.key);
    const { id: channelId } = await scene.channel();
    const body = { channelId, content: 'Hello' };
    const answers = [
      await key.post('/messages', body),
      await by.api.post('/messages', body),
      await key.post('/messages', body),
      await by.api.post('/messages', body),
      await key.post('/messages', body),
    ];
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 429, 429],
    );
  } finally {
    await strict.close();
  }
});
