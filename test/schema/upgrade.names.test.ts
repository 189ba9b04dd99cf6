import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRefused, dataOf } from '../support/expect.ts';
import { openOldWorld } from '../support/oldSchema.ts';
import { createDeps } from '../support/sources.ts';
import type { Json } from '../support/world.ts';

// Up to this version of the schema, the compared form of a name with a capital ẞ had an ß instead of ss.

const VERSION = 73;

const { newId } = createDeps();
const [ada, server] = [newId(), newId()];
const at = 1_000;

/** Names of channels, with their stored forms. */
const channels = {
  ...{ Große: 'grosse', GROẞE: 'große', STRAẞE: 'straße', Fuß: 'fuss' },
  // Both have the new form ssss.
  ...{ ẞSS: 'ßss', SSẞ: 'ssß' },
};

const statements = [
  `insert into "user" (id, "createdAt", "updatedAt", username, name, type, "platformAdmin")
    values ('${ada}', ${at}, ${at}, 'ada', 'Ada', 'person', false)`,
  `insert into server (id, "createdAt", "updatedAt", name, private, "creatorId", "memberCount")
    values ('${server}', ${at}, ${at}, 'Old', false, '${ada}', 0)`,
  ...Object.entries(channels).map(
    ([name, key]) =>
      `insert into channel (id, "createdAt", "updatedAt", "serverId", name, "nameKey", private, readonly, position,
        "creatorId", "roleIds")
        values ('${newId()}', ${at}, ${at}, '${server}', '${name}', '${key}', false, false, 0, '${ada}', '[]')`,
  ),
  `insert into emoji (id, "createdAt", "updatedAt", "serverId", name, url, "creatorId")
    values ('${newId()}', ${at}, ${at}, '${server}', 'spaß', '', '${ada}')`,
];

const world = await openOldWorld(VERSION, statements, { limits: { '*': 0 } });
const admin = await world.client({ id: server }, ['canAdmin'], { id: ada });

test('names with a capital ẞ are found in every spelling, and no channel is lost', async () => {
  const listed: Json[] = dataOf(await admin.get(`/servers/${server}/channels?limit=100`));
  assert.deepEqual(listed.map(({ name }) => name).sort(), Object.keys(channels).sort());
  for (const name of ['strasse', 'Straße', 'STRAẞE', 'ssss', 'ẞẞ'])
    assertRefused(await admin.post('/channels', { name }), 'ALREADY_EXISTS', name);
  const [emoji] = dataOf(await admin.get(`/servers/${server}/emoji`)) as Json[];
  assert.equal(emoji?.name, 'spass');
});
