import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openOldWorld } from '../support/oldSchema.ts';
import { createDeps, find } from '../support/sources.ts';

// Upgrades agents from before they had a home server and a creator.

/** The last version of the schema in which agents had no home server and no creator. */
const VERSION = 4;

const { newId } = createDeps();
const [ada, bob, home, away, role] = [newId(), newId(), newId(), newId(), newId()];
const agents = { minted: newId(), lent: newId(), hooked: newId(), idle: newId() };

const user = (id: string, type = 'agent', at = 1_000_000) =>
  `insert into "user" (id, "createdAt", "updatedAt", username, name, type, "platformAdmin")
    values ('${id}', ${at}, ${at}, '${id}', 'Name', '${type}', false)`;
const server = (id: string) =>
  `insert into server (id, "createdAt", "updatedAt", name, private, "creatorId", "memberCount")
    values ('${id}', 1, 1, 'Old', false, '${ada}', 0)`;
const member = (serverId: string, userId: string) =>
  `insert into "serverMember" (id, "createdAt", "updatedAt", "serverId", "userId")
    values ('${newId()}', 1, 1, '${serverId}', '${userId}')`;
const key = (userId: string, creatorId: string, at: number) =>
  `insert into secret (id, "createdAt", "updatedAt", "serverId", kind, name, "userId", "creatorId", preview)
    values ('${newId()}', ${at}, ${at}, '${home}', 'apiKey', 'Key', '${userId}', '${creatorId}', '')`;

const statements = [
  user(ada, 'person'),
  user(bob, 'person'),
  server(home),
  server(away),
  `insert into role (id, "createdAt", "updatedAt", "serverId", name, "isDefault", "isCreatorRole", "canAdmin", "canEditChannel",
    "canEditServer", "canEditData", "canModerate", "canEditApp", "canViewData") values ('${role}', 1, 1, '${home}', 'None',
    true, false, false, false, false, false, false, false, false)`,
  ...Object.values(agents).map((id) => user(id)),
  ...[agents.minted, agents.lent, agents.hooked].flatMap((id) => [member(home, id), member(away, id)]),
  member(home, ada),
  key(agents.minted, ada, 1_000_001),
  key(agents.minted, bob, 2_000_000),
  // The agent's first key is gone; this key was created by somebody else.
  key(agents.lent, bob, 2_000_000),
  key(ada, ada, 1_000_001),
  `insert into webhook (id, "createdAt", "updatedAt", "serverId", direction, name, enabled, "roleId", "userId", "creatorId",
    earlier) values ('${newId()}', 1000000, 1000000, '${home}', 'in', 'Hook', true, '${role}', '${agents.hooked}', '${bob}', '[]')`,
];

const world = await openOldWorld(VERSION, statements);

/** The id of a user, with the expected home and creator. */
const expected: Record<string, [id: string, homeServerId: string | null, creatorId: string | null]> = {
  'an agent with its first key': [agents.minted, home, ada],
  'an agent without its first key': [agents.lent, home, null],
  'the agent of a webhook': [agents.hooked, home, bob],
  'an agent of no server': [agents.idle, null, null],
  'a person': [ada, null, null],
};
for (const [who, [id, homeServerId, creatorId]] of Object.entries(expected)) {
  test(`${who} gets the known home and creator`, async () => {
    const found = await world.data.db.read.first(find('user', { id }));
    assert.deepEqual([found?.homeServerId, found?.creatorId], [homeServerId, creatorId]);
  });
}

test("an agent's membership ends with its creator's, if there is one", async () => {
  const rows = await world.data.db.read.all(find('serverMember', { serverId: home }));
  const hers = rows.find(({ userId }) => userId === ada);
  const sponsors = (userId: string) => rows.find((row) => row.userId === userId)?.sponsorId;
  assert.equal(sponsors(agents.minted), hers?.id);
  for (const id of [agents.lent, agents.hooked, ada]) assert.equal(sponsors(id), null);
  const [other] = await world.data.db.read.all(
    find('serverMember', { serverId: away, userId: agents.minted }),
  );
  assert.equal(other?.sponsorId, null);
});
