import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accountOf, type Browser } from '../support/account.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { type MergeScene, openMergeScene } from '../support/mergeScene.ts';
import { addRun, addWait } from '../support/rows.ts';
import { find, insert, update } from '../support/sources.ts';
import type { Json } from '../support/world.ts';

// If both a merged person and the account have a ban or time-out, the stricter one wins. Also tests the person's id
// in JSON values.

const HOUR_MS = 60 * 60_000;
const [soon, later] = [Date.now() + HOUR_MS, Date.now() + 5 * HOUR_MS];
const words = (until: number | null): string =>
  until === null ? 'of no time' : `of ${until === soon ? 'an hour' : 'five hours'}`;
let on: MergeScene;
before(async () => {
  on = await openMergeScene();
});
after(() => on.close());

interface Case {
  grace: Json;
  server: Json;
  pier: string;
  admin: Awaited<ReturnType<MergeScene['scene']>>['admin'];
  user: Json;
  browser: Browser;
}

/** An imported person, and an account that may or may not be a member. */
async function begun({ isMember = true } = {}): Promise<Case> {
  const { grace, server, pier, admin } = await on.scene();
  const { user, browser } = await accountOf(on.world);
  if (isMember) await on.world.member(server, user);
  browser.place = server.id;
  return { grace, server, pier, admin, user, browser };
}

async function merge({ grace, user }: Case): Promise<void> {
  await on.claimedBy(grace.id, user.id);
  await on.merged();
  assert.deepEqual(await on.left(grace.id), []);
}

const rowIn = <T extends 'serverMember' | 'departure' | 'serverBan'>(
  table: T,
  { server }: Case,
  { id }: Json,
) =>
  on.world.data.db.read.first(find(table, { serverId: server.id, userId: id as string } as never)) as Promise<
    Json | undefined
  >;
const write = (statement: object) => on.world.data.db.write((tx) => tx.run(statement as never));
const timeOut = async (one: Case, who: Json, timeoutUntil: number | null): Promise<void> => {
  const member = await rowIn('serverMember', one, who);
  await write(update('serverMember', member?.id, { timeoutUntil }));
};
/** Adds a departure or a ban of the person, who may also be a member. */
const added = (table: 'departure' | 'serverBan', { server }: Case, { id: userId }: Json, fields: object) => {
  const times = { createdAt: Date.now(), updatedAt: Date.now() };
  return write(insert(table, { id: on.newId(), ...times, serverId: server.id, userId, ...fields } as never));
};
const leaves = async (one: Case, who: Json, timeoutUntil: number | null): Promise<void> => {
  const member = await rowIn('serverMember', one, who);
  if (member) dataOf(await one.admin.delete(`/server-members/${member.id}`));
  await added('departure', one, who, { timeoutUntil });
};
const bans = async ({ admin, server }: Case, { id: userId }: Json): Promise<Json> =>
  dataOf(await admin.post('/server-bans', { serverId: server.id, userId, reason: 'Spam' }));
const countOf = async ({ admin, server }: Case): Promise<number> =>
  dataOf(await admin.get(`/servers/${server.id}`)).memberCount;

for (const [own, theirs, expected] of [
  [null, later, later],
  [later, null, later],
  [soon, later, later],
  [later, soon, later],
  [null, null, null],
] as const)
  test(`with a time-out ${words(own)} of the account and one ${words(theirs)} of the person, the longer one stays`, async () => {
    const one = await begun();
    await timeOut(one, one.user, own);
    await timeOut(one, one.grace, theirs);
    await merge(one);
    assert.equal((await rowIn('serverMember', one, one.user))?.timeoutUntil, expected);
    const sent = await one.browser.api.post('/messages', { channelId: one.pier, content: 'x' });
    if (expected === null) dataOf(sent);
    else assertRefused(sent, 'FORBIDDEN', 'at once');
  });

test('a time-out is transferred to a server in which the account was not a member', async () => {
  const one = await begun({ isMember: false });
  await timeOut(one, one.grace, later);
  await merge(one);
  assert.equal((await rowIn('serverMember', one, one.user))?.timeoutUntil, later);
});

test("the account's or the person's time-out survives leaving the server", async () => {
  const left = await begun();
  await leaves(left, left.user, soon);
  await timeOut(left, left.grace, later);
  await merge(left);
  assert.equal(await rowIn('serverMember', left, left.user), undefined);
  assert.equal((await rowIn('departure', left, left.user))?.timeoutUntil, later);
  const stayed = await begun();
  await leaves(stayed, stayed.grace, later);
  await merge(stayed);
  assert.equal((await rowIn('serverMember', stayed, stayed.user))?.timeoutUntil, later);
  assert.equal(await rowIn('departure', stayed, stayed.user), undefined, 'the account has not left');
  const both = await begun();
  await leaves(both, both.user, soon);
  await leaves(both, both.grace, later);
  await merge(both);
  assert.equal((await rowIn('departure', both, both.user))?.timeoutUntil, later);
});

test("the person's ban applies to the account and ends its membership", async () => {
  const one = await begun();
  const { admin, server, user, grace } = one;
  const key = await on.world.client(server, ['canEditData'], user);
  const ban = await bans(one, grace);
  const before = await countOf(one);
  await merge(one);
  assert.equal(await rowIn('serverMember', one, user), undefined);
  assert.equal(await countOf(one), before - 1);
  const [listed, ...none] = dataOf(await admin.get(`/servers/${server.id}/bans`));
  assert.deepEqual([listed.id, listed.userId, listed.reason, none], [ban.id, user.id, 'Spam', []]);
  assertRefused(await key.get(`/servers/${server.id}`), 'INVALID_API_KEY', 'keys are revoked');
  assertRefused(await one.browser.api.post('/server-members', { serverId: server.id }), 'FORBIDDEN');
  const { data: events } = (await admin.get('/events?wait=0&limit=100')).body;
  const removed = events.filter(
    ({ type, data }: Json) => type === 'serverMember.deleted' && data.userId === user.id,
  );
  assert.equal(removed.length, 1);
});

test("a ban is transferred to an account that is not a member, and the account's own ban stays", async () => {
  const outside = await begun({ isMember: false });
  const ban = await bans(outside, outside.grace);
  await merge(outside);
  assert.equal((await rowIn('serverBan', outside, outside.user))?.id, ban.id);
  const both = await begun({ isMember: false });
  await bans(both, both.grace);
  const own = await bans(both, both.user);
  await merge(both);
  assert.equal((await rowIn('serverBan', both, both.user))?.id, own.id);
  const banned = await begun({ isMember: false });
  const stays = await bans(banned, banned.user);
  await timeOut(banned, banned.grace, later);
  const before = await countOf(banned);
  await merge(banned);
  assert.equal((await rowIn('serverBan', banned, banned.user))?.id, stays.id);
  assert.equal(await rowIn('serverMember', banned, banned.user), undefined);
  assert.equal(await countOf(banned), before - 1);
});

test("the person's ban does not apply to an owner or an admin, because no moderator could ban them", async () => {
  const owned = await begun();
  await bans(owned, owned.grace);
  await write(update('server', owned.server.id, { creatorId: owned.user.id }));
  await merge(owned);
  const administered = await begun();
  await bans(administered, administered.grace);
  const role = dataOf(await administered.admin.post('/roles', { name: 'Captain', canAdmin: true }));
  dataOf(await administered.admin.post('/user-roles', { userId: administered.user.id, roleId: role.id }));
  await merge(administered);
  for (const one of [owned, administered]) {
    assert.ok(await rowIn('serverMember', one, one.user));
    assert.equal(await rowIn('serverBan', one, one.user), undefined);
  }
});

test("approvals that ask the person accept the account's decision, and each decider counts once", async () => {
  const one = await begun();
  const { grace, user, server, pier, browser } = one;
  const bot = await on.world.client(server, ['canEditData'], await on.world.user({ agent: true }));
  const elements = [{ type: 'button', id: 'ok', text: `OK ${grace.id}`, value: '1' }];
  const ask = async (userIds: string[]): Promise<Json> =>
    dataOf(
      await bot.post('/messages', {
        ...{ channelId: pier, content: 'Deploy?' },
        blocks: [{ type: 'actions', id: 'a1', elements, deciders: { userIds, rule: 'all' } }],
      }),
    );
  const alone = await ask([grace.id]);
  const both = await ask([grace.id, user.id]);
  await on.claimedBy(grace.id, user.id);
  await on.merged();
  const blocksOf = async ({ id }: Json) => dataOf(await browser.api.get(`/messages/${id}`)).blocks;
  const [block] = await blocksOf(both);
  assert.deepEqual(block.deciders.userIds, [user.id]);
  assert.equal(block.elements[0].text, `OK ${grace.id}`, 'texts are unchanged');
  for (const { id: messageId } of [alone, both])
    dataOf(await browser.api.post('/interactions', { messageId, blockId: 'a1', actionId: 'ok' }));
  const [decided] = await blocksOf(alone);
  assert.deepEqual(
    decided.decisions.map(({ userId }: Json) => userId),
    [user.id],
  );
  assert.ok(decided.decidedAt);
});

test('flows that reference the person, and runs that wait for the person, reference the account', async () => {
  const one = await begun();
  const { grace, server, user } = one;
  const flow = await on.world.flow(server);
  const steps = [{ type: 'message.send', userId: grace.id, content: `for ${grace.id}` }];
  await write(
    update('flow', flow.id, { makerId: grace.id, trigger: { on: 'event', by: grace.id }, steps } as never),
  );
  const waiting = {
    status: 'waiting',
    endedAt: null,
    position: '0',
    steps,
    input: { who: grace.id },
  } as const;
  const run = await addRun(on.world, { flowId: flow.id, serverId: server.id, ...waiting });
  await addWait(on.world, run);
  await write(update('flowWait', run.id, { condition: ['is', 'event.actorId', grace.id] } as never));
  await on.claimedBy(grace.id, user.id);
  await on.merged();
  const { read } = on.world.data.db;
  const renamed = [{ ...steps[0], userId: user.id }];
  const found = (await read.first(find('flow', { id: flow.id }))) as Json;
  assert.deepEqual(
    [found.makerId, found.trigger, found.steps],
    [user.id, { on: 'event', by: user.id }, renamed],
  );
  const ran = (await read.first(find('flowRun', { id: run.id }))) as Json;
  assert.deepEqual([ran.steps, ran.input], [renamed, { who: user.id }]);
  const wait = (await read.first(find('flowWait', { id: run.id }))) as Json;
  assert.deepEqual(wait.condition, ['is', 'event.actorId', user.id]);
});
