import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { system, workIn } from '../../server/src/operations/work.ts';
import { changeAs } from '../../server/src/resources/change.ts';
import { channelEvents } from '../../server/src/resources/channel/channelRecord.ts';
import { consequences } from '../../server/src/resources/consequences.ts';
import { accountOf, Browser, PASSWORD } from '../support/account.ts';
import { addMembers, giveAll } from '../support/crowds.ts';
import { dataOf } from '../support/expect.ts';
import { Scene } from '../support/scene.ts';
import { addChannel, change, q } from '../support/sources.ts';
import { type Json, listAll, World } from '../support/world.ts';

// Each event and each entry of the audit log says who made the change.

let world: World;
let scene: Scene;
before(async () => {
  world = await World.open({ signUp: 'invite' });
  scene = await Scene.open(world);
});
after(() => world.close());

/** The server's latest hundred events of this type, as its admin reads them, newest first. */
const eventsOf = async (type: string, admin = scene.admin): Promise<Json[]> =>
  dataOf(await admin.get(`/events?before=latest&types=${type}&limit=100`));

const lastOf = async (type: string): Promise<Json> => (await eventsOf(type))[0];

/** The kind and the id of an event's actor. */
const actorOf = ({ actor, actorId }: Json): [string, string | null] => [actor, actorId];

test('a change by a person, a key and an incoming webhook names the user and the kind', async () => {
  const browser = await Browser.of(world, scene.owner, scene.server);
  dataOf(await browser.api.post('/channels', { name: 'by-a-person' }));
  assert.deepEqual(actorOf(await lastOf('channel.created')), ['person', scene.owner.id]);
  const channel = await scene.channel();
  assert.deepEqual(actorOf(await lastOf('channel.created')), ['key', scene.owner.id]);
  const hook = await scene.make('/webhooks', { direction: 'in', channelId: channel.id });
  const posted = await world.request('POST', `${world.url}${hook.path}`, { body: { text: 'Hello' } });
  assert.equal(posted.status, 200);
  assert.deepEqual(actorOf(await lastOf('message.created')), ['key', hook.userId]);
});

test('a command is attributed to the operator, and upkeep to the system', async () => {
  const { server, owner } = scene;
  const fields = { serverId: server.id, creatorId: owner.id, roleIds: [] };
  await change(world.data, (work) => addChannel(work, { ...fields, name: 'by-a-command' }));
  assert.deepEqual(actorOf(await lastOf('channel.created')), ['operator', null]);
  await changeAs(system, world.data, (work) => addChannel(work, { ...fields, name: 'by-upkeep' }));
  assert.deepEqual(actorOf(await lastOf('channel.created')), ['system', null]);
});

test('a sign-up is attributed to the person who signs up', async () => {
  const invite = await scene.invite();
  const username = world.unique('newcomer');
  const browser = new Browser(world);
  const { id } = dataOf(
    await browser.post('/sign-up', { username, password: PASSWORD, inviteId: invite.id }),
  );
  for (const type of ['serverMember.created', 'userRole.created', 'invite.updated'])
    assert.deepEqual(actorOf(await lastOf(type)), ['person', id], type);
});

test('rows that a sweep deletes later are attributed to the user who started the deletion', async () => {
  const browser = await Browser.of(world, scene.owner, scene.server);
  const role = await scene.role();
  const users = await addMembers(world, scene.server.id, 210);
  await giveAll(world, role, users);
  dataOf(await browser.api.delete(`/roles/${role.id}`));
  await world.tidy();
  const taken = q
    .selectFrom('event')
    .select(['actor', 'actorId', 'data'])
    .where('type', '=', 'userRole.deleted');
  const events = (await world.data.db.read.all(taken)).filter(({ data }) => data.includes(role.id));
  assert.equal(events.length, users.length);
  for (const event of events) assert.deepEqual(actorOf(event), ['person', scene.owner.id]);
});

test('the erasure of a closed account is attributed to the system, in the log and in the audit log', async () => {
  const { user, browser } = await accountOf(world);
  await world.member(scene.server, user);
  dataOf(await browser.post('/close', { username: user.username, messages: 'keep' }));
  await world.tidy();
  assert.deepEqual(actorOf(await lastOf('serverMember.deleted')), ['system', null]);
  const root = await world.user({ platformAdmin: true });
  const admin = await Browser.of(world, root);
  const entries = (await listAll(admin, '/platform/audit')).filter(({ about }) => about.id === user.id);
  assert.deepEqual(
    entries.map(({ command, actor, actorId, account }) => [command, actor, actorId, account]),
    [
      ['user erase', 'system', null, null],
      ['account close', 'person', user.id, null],
    ],
  );
});

test('an event without an actor is a bug that fails the write', async () => {
  const { deps } = world.data;
  const writing = world.data.db.write(async (tx) => {
    const work = workIn(tx, { deps, consequences }, undefined);
    await work.emit(channelEvents.created, { id: scene.server.id, serverId: scene.server.id } as never);
  });
  await assert.rejects(writing, /channel\.created has no actor/);
});

test('events from earlier versions do not name an actor', async () => {
  await scene.channel();
  const { id } = await lastOf('channel.created');
  const rows = q.updateTable('event').set({ actor: null }).where('logId', '=', scene.server.id);
  await world.data.db.write((tx) => tx.run(rows));
  const again = await World.open({ place: world.place });
  const events = await eventsOf('channel.created', again.as(scene.admin.key));
  assert.equal(events.find((event) => event.id === id)?.actor, null);
  await again.close();
});
