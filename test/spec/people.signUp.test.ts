import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Browser, linkFor, PASSWORD } from '../support/account.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { Scene } from '../support/scene.ts';
import { type Answer, type Json, listAll, TestClock, World } from '../support/world.ts';

let world: World;
let scene: Scene;
before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
});
after(() => world.close());

const signUp = (fields: object = {}, at = world, browser = new Browser(at)): Promise<Answer> =>
  browser.post('/sign-up', { username: at.unique('person'), password: PASSWORD, ...fields });

const members = async (of = scene): Promise<string[]> =>
  (await listAll(of.admin, `/servers/${of.server.id}/members`)).map(({ userId }: Json) => userId);

test('a person can sign up with an invite to a server, and joins it', async () => {
  await scene.admin.patch(`/servers/${scene.server.id}`, { private: true });
  const invite = await scene.invite({ maxUses: 1 });
  const browser = new Browser(world);
  const made = dataOf(await signUp({ inviteId: invite.id, name: 'New here' }, world, browser));
  assert.deepEqual(
    [made.name, made.type, made.platformAdmin, made.email],
    ['New here', 'person', false, null],
  );
  assert.ok((await members()).includes(made.id));
  assert.equal(dataOf(await scene.admin.get(`/invites/${invite.id}`)).uses, 1);
  browser.place = scene.server.id;
  dataOf(await browser.api.get(`/servers/${scene.server.id}/channels`));
  assertRefused(await signUp({ inviteId: invite.id }), 'FORBIDDEN', 'used up');
  assertRefused(await signUp({ inviteId: 'none' }), 'NOT_FOUND');
});

test('a person with an invite can preview it before signing up, and sees nothing else', async (t) => {
  const clock = new TestClock();
  const strict = await World.open({ clock, limits: { '*': 0, invite: 7 } });
  t.after(() => strict.close());
  const { server, admin, owner } = await Scene.open(strict);
  const icon = 'https://example.com/icon.png';
  dataOf(await admin.patch(`/servers/${server.id}`, { private: true, icon }));
  const maker = await strict.user({ name: 'Grace' });
  await strict.member(server, maker);
  const by = await strict.client(server, ['canAdmin'], maker);
  const invite = dataOf(await by.post('/invites', { maxUses: 1, expiresAt: clock.at + 60_000 }));
  const ask = (inviteId: unknown) => new Browser(strict).post('/invites/look', { inviteId });
  const look = async (): Promise<Json> => dataOf(await ask(invite.id));
  const seen = await look();
  assert.deepEqual(seen, {
    ...{ id: invite.id, code: invite.code, createdAt: invite.createdAt, updatedAt: invite.updatedAt },
    ...{ isLive: true, maySignUp: true, expiresAt: invite.expiresAt },
    server: dataOf(await admin.get(`/invites/${invite.id}`)).server,
    inviter: { id: maker.id, username: maker.username, name: 'Grace', image: null },
  });
  assert.deepEqual([seen.server.name, seen.server.icon], [server.name, icon]);
  assert.ok(seen.server.memberCount >= 2);
  const refused = await ask(invite.id.replace(/.$/, (last: string) => (last === '0' ? '1' : '0')));
  assertRefused(refused, 'NOT_FOUND');

  dataOf(await signUp({ inviteId: invite.id }, strict));
  const used = await look();
  assert.deepEqual([used.isLive, used.maySignUp], [false, false], 'used up');
  const [{ id: memberId }] = (await listAll(admin, `/servers/${server.id}/members`)).filter(
    ({ userId }: Json) => userId === maker.id,
  ) as [Json];
  await admin.delete(`/server-members/${memberId}`);
  assert.equal((await look()).inviter, null, 'no longer a member');
  const root = await Browser.of(strict, await strict.user({ platformAdmin: true }));
  dataOf(await root.patch('/platform/settings/signUp', { value: 'closed' }));
  const live = dataOf(await admin.post('/invites', {}));
  const { isLive, maySignUp, inviter } = dataOf(await ask(live.id));
  assert.deepEqual([isLive, maySignUp, inviter.id], [true, false, owner.id]);
  dataOf(await admin.delete(`/invites/${live.id}`));
  assertRefused(await ask(live.id), 'NOT_FOUND');
  assertRefused(await ask(live.id), 'NOT_FOUND', 'the last of seven');
  assertRefused(await ask(invite.id), 'RATE_LIMITED', 'as many from one address as the limit allows');
});

test('only one of several concurrent sign-ups for the last use of an invite succeeds', async () => {
  const invite = await scene.invite({ maxUses: 1 });
  const answers = await Promise.all(Array.from({ length: 4 }, () => signUp({ inviteId: invite.id })));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 403, 403, 403]);
});

test('signing up requires an invite or a link, unless a setting allows it for everyone', async (t) => {
  assertRefused(await signUp(), 'FORBIDDEN');
  const { token } = await linkFor(world, undefined, 'signUp', 'new@example.com');
  const made = dataOf(await signUp({ token }));
  assert.equal(made.email, 'new@example.com');
  assertRefused(await signUp({ token }), 'NOT_FOUND', 'used up');
  const claim = await linkFor(world, await world.user());
  assertRefused(await signUp({ token: claim.token }), 'INVALID_REQUEST', '', 'token');

  const entrance = async (at: World) => dataOf(await new Browser(at).get('/entrance'));
  assert.deepEqual(await entrance(world), {
    signUp: 'invite',
    serverCreators: 'anybody',
    sendsMails: false,
    minPasswordCharacters: 8,
    maxPasswordCharacters: 256,
    maxUsernameCharacters: 32,
  });
  const open = await World.open({ signUp: 'open' });
  t.after(() => open.close());
  dataOf(await signUp({}, open));
  assert.equal((await entrance(open)).signUp, 'open');

  const closed = await World.open({ signUp: 'closed' });
  t.after(() => closed.close());
  const other = await Scene.open(closed);
  assertRefused(await signUp({ inviteId: (await other.invite()).id }, closed), 'FORBIDDEN');
  dataOf(await signUp({ token: (await linkFor(closed, undefined, 'signUp')).token }, closed));
});

test('a failed sign-up leaves nothing behind', async () => {
  const invite = await scene.invite({ maxUses: 1 });
  const { username } = await world.user();
  assertRefused(await signUp({ username, inviteId: invite.id }), 'ALREADY_EXISTS');
  for (const [path, fields] of [
    ['username', { username: 'Not Valid' }],
    ['username', { username: '' }],
    ['username', { username: 5 }],
    ['name', { name: ' ' }],
    ['password', { password: 'football' }],
    ['password', { username: 'long.enough.name', password: 'long.enough.name' }],
  ] as const)
    assertRefused(await signUp({ ...fields, inviteId: invite.id }), 'INVALID_REQUEST', path, path);
  assert.equal(dataOf(await scene.admin.get(`/invites/${invite.id}`)).uses, 0);
  dataOf(await signUp({ inviteId: invite.id }));
});

test('signing up cannot set another identity or any privileges', async () => {
  const invite = await scene.invite();
  const extra = {
    platformAdmin: true,
    type: 'agent',
    id: scene.owner.id,
    email: 'a@example.com',
    emailVerified: true,
  };
  const answer = await signUp({ inviteId: invite.id, ...extra });
  const made = dataOf(answer);
  assert.deepEqual([made.platformAdmin, made.type, made.email], [false, 'person', null]);
  assert.notEqual(made.id, scene.owner.id);
  assert.equal(answer.headers.get('ignored-parameters'), 'platformAdmin, type, id, email, emailVerified');
});
