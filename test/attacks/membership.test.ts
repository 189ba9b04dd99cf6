import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { removeMember } from '../../server/src/resources/serverMember/remove.ts';
import { Browser } from '../support/account.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { Scene } from '../support/scene.ts';
import { change, find } from '../support/sources.ts';
import { type Answer, type Client, type Json, listAll, World } from '../support/world.ts';

// A removed member leaves nothing usable behind in a server.

let world: World;
let scene: Scene;
before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
});
after(() => world.close());

const mint = async (client: Client, fields: object = {}): Promise<Client> => {
  const secret = dataOf(await client.post('/secrets', { kind: 'apiKey', name: 'Bot', ...fields }));
  return { ...world.as(secret.key), secret };
};

const memberOf = async (userId: string): Promise<Json> =>
  (await listAll(scene.admin, `/servers/${scene.server.id}/members`)).find((row) => row.userId === userId);

const isRevoked = async (client: Client): Promise<boolean> => (await client.get('/servers')).status === 401;

/** The ways in which a membership ends. */
const ends: Record<string, (member: Json, client: Client) => Promise<unknown>> = {
  'is kicked': ({ id }) => scene.remove(`/server-members/${id}`),
  leaves: async ({ id }, client) => dataOf(await client.delete(`/server-members/${id}`)),
};

for (const [how, end] of Object.entries(ends)) {
  test(`a member who ${how} keeps no key, agent or webhook that gives access`, async () => {
    const user = await world.user();
    const minter = await world.client(scene.server, ['canAdmin'], user);
    const agent = await mint(minter, { roleId: minter.secret.roleId });
    const ofAgent = await mint(agent, { roleId: minter.secret.roleId });
    const { id: channelId } = await scene.channel();
    const hook = await scene.make('/webhooks', { direction: 'in', channelId }, agent);
    const sender = await scene.make('/webhooks', { url: 'https://example.com/mine' }, minter);
    const app = await scene.app();
    const value = { kind: 'appSecret', name: 'Token', appId: app.id, value: 'of the app' };
    const kept = await scene.make('/secrets', value, minter);

    await end(await memberOf(user.id), minter);
    for (const client of [minter, agent, ofAgent]) assert.ok(await isRevoked(client));
    const posted = await world.request('POST', `${world.url}${hook.path}`, { body: { text: 'Still here' } });
    assert.equal(posted.status, 401);
    const webhooks = await listAll(scene.admin, `/servers/${scene.server.id}/webhooks`);
    assert.ok(!webhooks.some(({ id }) => id === hook.id || id === sender.id));
    for (const { userId } of [agent.secret, ofAgent.secret, hook])
      assert.equal(await memberOf(userId), undefined);
    await scene.remove(`/secrets/${kept.id}`);
  });
}

test('a kick affects nothing in other servers, and nothing that others created', async () => {
  const user = await world.user();
  const other = await Scene.open(world);
  const [here, there] = [
    await world.client(scene.server, ['canAdmin'], user),
    await world.client(other.server, ['canAdmin'], user),
  ];
  const elsewhere = await mint(there);
  const others = await mint(scene.admin);
  // A key that the member created for somebody else's agent is revoked; the agent stays.
  const lent = await mint(here, { userId: others.secret.userId });
  await scene.remove(`/server-members/${(await memberOf(user.id)).id}`);
  assert.ok(await isRevoked(lent));
  for (const client of [there, elsewhere, others]) assert.ok(!(await isRevoked(client)));
});

test('the last admin cannot be removed together with their agents', async () => {
  const owner = await world.user();
  const server = await world.server(owner);
  const admin = await world.client(server, ['canAdmin'], owner);
  const agent = await mint(admin);
  const [roles] = await listAll(admin, `/servers/${server.id}/members`);
  const roleId = roles.roleIds.find((id: string) => id !== agent.secret.roleId);
  dataOf(await admin.post('/user-roles', { userId: agent.secret.userId, roleId }));
  assertRefused(await admin.delete(`/server-members/${roles.id}`), 'FORBIDDEN');
  assert.ok(!(await isRevoked(agent)));
});

test('keys for an agent can only be created in its home server', async () => {
  const other = await Scene.open(world);
  const agent = await mint(scene.admin);
  const { userId } = agent.secret;
  await other.make('/server-members', { userId });
  assertRefused(await other.admin.post('/secrets', { kind: 'apiKey', name: 'Mine', userId }), 'FORBIDDEN');
  assert.equal((await mint(scene.admin, { userId })).secret.userId, userId);
});

test('an agent created by the operator has its home in the first server that it joins', async () => {
  const other = await Scene.open(world);
  const { id: userId } = await world.user({ agent: true });
  await scene.make('/server-members', { userId });
  await other.make('/server-members', { userId });
  assertRefused(await other.admin.post('/secrets', { kind: 'apiKey', name: 'Mine', userId }), 'FORBIDDEN');
  assert.equal((await mint(scene.admin, { userId })).secret.userId, userId);
  assert.equal((await mint(scene.admin, { userId: scene.owner.id })).secret.userId, scene.owner.id);
});

/** Runs a task whose writes wait until a member has been removed. */
async function overtaken<T>(memberId: string, task: () => Promise<T>): Promise<T> {
  const { db, deps } = world.data;
  const { write } = db;
  const untouched = { deps, db: { write: write.bind(db) } };
  let removal: Promise<unknown> | undefined;
  const value: typeof write = async (...given) => {
    removal ??= change(
      untouched,
      async (work) => {
        const member = await work.db.first(find('serverMember', { id: memberId }));
        await removeMember(work, member as NonNullable<typeof member>);
      },
      scene.server.id,
    );
    await removal;
    return untouched.db.write(...given);
  };
  Object.defineProperty(db, 'write', { value, configurable: true });
  try {
    return await task();
  } finally {
    Object.defineProperty(db, 'write', { value: untouched.db.write, configurable: true });
  }
}

test('a member who is removed while marking messages as read leaves no reading state behind', async () => {
  const asks: ((browser: Browser) => Promise<Answer>)[] = [
    (browser) => browser.post('/reading/all', { serverId: scene.server.id }),
    (browser) => browser.post('/reading/all', {}),
    (browser) => browser.patch('/reading/level', { level: 'mentions' }),
  ];
  for (const [index, ask] of asks.entries()) {
    const user = await world.user();
    await world.member(scene.server, user);
    const browser = await Browser.of(world, user, scene.server);
    const { id } = await memberOf(user.id);
    const answer = await overtaken(id, () => ask(browser));
    assertRefused(answer, 'NOT_FOUND', String(index));
    const left = await world.data.db.read.all(find('serverReading', { userId: user.id }));
    assert.deepEqual(left, [], String(index));
  }
});
