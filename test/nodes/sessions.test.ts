import assert from 'node:assert/strict';

import { CLIENT, DEVICE_GRANT } from '../support/apps.ts';
import { Authenticator } from '../support/authenticator.ts';
import { EventStream } from '../support/eventStream.ts';
import { after, before, type Site, test } from '../support/nodes.ts';
import { PeopleAtNodes } from '../support/peopleAtNodes.ts';
import { call, until } from '../support/process.ts';
import type { Json } from '../support/world.ts';

const NODES = 3;
/**
 * The longest time that a node may accept a session after the response that ends it, not counting stalls of the
 * machine.
 */
const NOTICED_MS = 1_000;
const PASSWORD = 'a horse that nobody rides';

let site: Site;
const people = new PeopleAtNodes(NODES, { password: PASSWORD, noticedMs: NOTICED_MS });
const { stalls, ask, post, signIn, statusWith, assertRefusedSoon, assertAccepted } = people;
before(async () => {
  site = await people.open();
});
after(() => people.close());

test('a revoked session is rejected by all nodes within a second', async () => {
  const own = await signIn(0);
  for (let time = 0; time < 12; time++) {
    const cookie = await signIn(time % NODES);
    await assertAccepted(cookie);
    const sessions = (await ask(0, 'GET', '/sessions', cookie)).body.data as {
      id: string;
      isCurrent: boolean;
    }[];
    const id = sessions.find(({ isCurrent }) => isCurrent)?.id;
    assert.equal((await ask((time + 1) % NODES, 'DELETE', `/sessions/${id}`, own)).status, 200);
    await assertRefusedSoon(statusWith(cookie), performance.now());
  }
  await assertAccepted(own);
});

test('a passkey response is accepted by any node, but only once overall', async () => {
  const own = await signIn(0);
  const dataAt = async (node: number, path: string, body?: unknown, cookie = '') => {
    const answer = await ask(node, 'POST', path, cookie, body);
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data;
  };
  const authenticator = new Authenticator(site.at(1).url, { counts: false });
  const creation = await dataAt(0, '/passkeys/options', undefined, own);
  await dataAt(1, '/passkeys', { passkey: authenticator.create(creation) }, own);
  const options = await dataAt(2, '/sign-in/options');
  const passkey = authenticator.get(options);
  const answers = await Promise.all(
    [0, 1, 2].map((node) => ask(node, 'POST', '/sign-in/passkey', '', { passkey })),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401, 401]);
});

test('a device is authorized at one node, gets its session at another, and loses it at all of them', async () => {
  const own = await signIn(0);
  const form = async (node: number, path: string, fields: Record<string, string>) => {
    const body = new URLSearchParams({ client_id: CLIENT, ...fields });
    const answer = await fetch(`${site.at(node).url}/oauth/${path}`, { method: 'POST', body });
    return (await answer.json()) as Record<string, string>;
  };
  const begun = await form(1, 'device_authorization', {});
  const approve = (node: number) =>
    ask(node, 'POST', '/approvals', own, { userCode: begun.user_code as string });
  const approvals = await Promise.all([0, 1, 2].map(approve));
  assert.deepEqual(approvals.map(({ status }) => status).sort(), [200, 404, 404]);
  const fields = { grant_type: DEVICE_GRANT, device_code: begun.device_code as string };
  const polls = await Promise.all([0, 1, 2].map((node) => form(node, 'token', fields)));
  const tokens = polls.flatMap(({ access_token: token }) => token ?? []);
  assert.equal(tokens.length, 1, JSON.stringify(polls));
  const headers = { authorization: `Bearer ${tokens[0]}`, 'palaver-server': 'none' };
  const statusAt = async (node: number) =>
    (await call(site.at(node), 'GET', '/api/people/me', { headers })).status;
  for (let node = 0; node < NODES; node++) assert.equal(await statusAt(node), 200, `node ${node}`);
  const [newest] = (await ask(0, 'GET', '/sessions', own)).body.data as { id: string; form: string }[];
  assert.equal(newest?.form, 'bearer');
  assert.equal((await ask(2, 'DELETE', `/sessions/${newest?.id}`, own)).status, 200);
  await assertRefusedSoon(statusAt, performance.now());
});

/** Creates a user with an account, with a link from the admin. Returns the cookie of their session. */
async function person(own: string, username: string): Promise<{ id: string; cookie: string }> {
  const created = await site.run(['user', 'create', '--username', username, '--json']);
  const made = JSON.parse(created.stdout);
  const path = `/platform/users/${made.id}/link`;
  const { path: page } = (await ask(0, 'POST', path, own, { purpose: 'claim' })).body.data;
  const token = page.split('#')[1];
  return { id: made.id, cookie: await post(1, '/links/claim', { token, password: PASSWORD }) };
}

test('a suspended user is rejected by all nodes within a second, with a key and a session', async () => {
  const own = await signIn(0);
  const { id, cookie } = await person(own, 'suspended');
  await assertAccepted(cookie);
  assert.equal((await ask(2, 'POST', `/platform/users/${id}/suspend`, own, {})).status, 200);
  await assertRefusedSoon(statusWith(cookie), performance.now());
  assert.equal((await ask(1, 'POST', `/platform/users/${id}/lift`, own, {})).status, 200);
  await until(async () => {
    const answers = await Promise.all(site.nodes.map((_, node) => ask(node, 'GET', '/me', cookie)));
    return answers.every(({ status }) => status === 200);
  });
});

test('the keys of a deleted server are rejected by all nodes within a second', async () => {
  const own = await signIn(0);
  const server = (await ask(0, 'POST', '/servers', own, { name: 'Short' })).body.data;
  const headers = { 'palaver-server': server.id, cookie: own };
  const at = (node: number, method: string, path: string, body?: unknown) =>
    call(site.at(node), method, path, { headers, body });
  const roles = (await at(1, 'GET', `/api/v1/servers/${server.id}/roles`)).body.data as { id: string }[];
  const secret = { kind: 'apiKey', name: 'Bot', roleId: roles[0]?.id };
  const { key } = (await at(2, 'POST', '/api/v1/secrets', secret)).body.data;
  const byKey = (node: number) => call(site.at(node), 'GET', '/api/v1/users/me', { key });
  for (let node = 0; node < NODES; node++) assert.equal((await byKey(node)).status, 200);
  const gone = await at(0, 'POST', `/api/people/servers/${server.id}/delete`, { name: 'Short' });
  assert.equal(gone.status, 200, gone.text);
  await assertRefusedSoon(async (node) => (await byKey(node)).status, performance.now());
});

test('the agents of a deleted account are rejected by all nodes within a second', async () => {
  const own = await signIn(0);
  const { id, cookie } = await person(own, 'closing');
  const server = (await ask(0, 'POST', '/servers', own, { name: 'Shared' })).body.data;
  const make = async (node: number, by: string, path: string, body: object): Promise<Json> => {
    const headers = { 'palaver-server': server.id, cookie: by };
    const answer = await call(site.at(node), 'POST', `/api/v1${path}`, { headers, body });
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data;
  };
  const { id: roleId } = await make(1, own, '/roles', { name: 'Makers', canEditApp: true });
  await make(0, cookie, '/server-members', { serverId: server.id });
  await make(0, own, '/user-roles', { userId: id, roleId });
  const { key } = await make(0, cookie, '/secrets', { kind: 'apiKey', name: 'Bot', roleId });
  const byKey = async (node: number) =>
    (await call(site.at(node), 'GET', '/api/v1/users/me', { key })).status;
  for (let node = 0; node < NODES; node++) assert.equal(await byKey(node), 200, `node ${node}`);
  const closed = await ask(2, 'POST', '/close', cookie, { username: 'closing', messages: 'keep' });
  assert.equal(closed.status, 200, closed.text);
  await assertRefusedSoon(byKey, performance.now());
});

test('when two platform admins demote each other on two nodes, one remains admin', async () => {
  const own = await signIn(0);
  const me = (await ask(0, 'GET', '/me', own)).body.data.id as string;
  const { id, cookie } = await person(own, 'second');
  for (let round = 0; round < 5; round++) {
    const make = (node: number, by: string, whom: string, platformAdmin: boolean) =>
      ask(node, 'PATCH', `/platform/users/${whom}`, by, { platformAdmin });
    assert.equal((await make(0, own, id, true)).status, 200);
    await until(async () => (await ask(1, 'GET', '/platform/health', cookie)).status === 200);
    const answers = await Promise.all([make(0, own, id, false), make(1, cookie, me, false)]);
    const statuses = answers.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [200, 403], answers.map(({ text }) => text).join());
    const [mine] = answers;
    if (mine?.status === 403) await until(async () => (await make(1, cookie, me, true)).status === 200);
    if (mine?.status === 403)
      await until(async () => (await ask(0, 'GET', '/platform/health', own)).status === 200);
    if (mine?.status === 403) assert.equal((await make(0, own, id, false)).status, 200);
  }
});

test('a changed setting applies on all nodes within a second', async () => {
  const own = await signIn(0);
  const signUp = (node: number, number: number) =>
    ask(node, 'POST', '/sign-up', '', { username: `setting-${node}-${number}`, password: PASSWORD });
  for (let node = 0; node < NODES; node++) assert.equal((await signUp(node, 0)).status, 403);
  assert.equal((await ask(1, 'PATCH', '/platform/settings/signUp', own, { value: 'open' })).status, 200);
  const changedAt = performance.now();
  for (let node = 0; node < NODES; node++)
    await until(
      async () => {
        const sent = performance.now();
        if ((await signUp(node, 1)).status === 200) return true;
        const late = sent - changedAt - stalls.since(changedAt);
        assert.ok(late < NOTICED_MS, `node ${node} has the old setting after ${Math.round(late)} ms`);
        return false;
      },
      20_000,
      2,
    );
});

test('ending a session closes its streams at every node; until then, they deliver events from any node', async () => {
  const own = await signIn(0);
  const cookie = await signIn(1);
  const made = (await ask(0, 'POST', '/servers', own, { name: 'Another' })).body.data as Json;
  const streams = await Promise.all(
    site.nodes.map((node) =>
      EventStream.open(node, '', {}, { 'palaver-server': 'none', cookie }, '/api/people/events'),
    ),
  );
  for (const stream of streams) await stream.told('opening', ({ cursors }) => made.id in cursors);
  const act = async (node: number, method: string, path: string, body?: unknown): Promise<Json> => {
    const headers = { 'palaver-server': made.id, cookie: own };
    const answer = await call(site.at(node), method, `/api/v1${path}`, { headers, body });
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data;
  };
  const heard = (id: string) =>
    Promise.all(streams.map((stream) => stream.event(({ data }) => data.id === id)));
  for (let node = 0; node < NODES; node++)
    await heard((await act(node, 'POST', '/channels', { name: `channel-${node}` })).id);

  // A server that the person joins at one node is added at all nodes.
  const second = (await ask(1, 'POST', '/servers', own, { name: 'Second' })).body.data as Json;
  for (const stream of streams) await stream.told('joined', ({ serverId }) => serverId === second.id);

  const [{ id }] = ((await ask(0, 'GET', '/sessions', cookie)).body.data as Json[]).filter(
    ({ isCurrent }) => isCurrent,
  ) as [Json];
  assert.equal((await ask(2, 'DELETE', `/sessions/${id}`, own)).status, 200);
  const endedAt = performance.now();
  await Promise.all(streams.map((stream) => stream.over()));
  const late = performance.now() - endedAt - stalls.since(endedAt);
  assert.ok(late < NOTICED_MS, `the last stream ended after ${Math.round(late)} ms`);
});

test('a password change ends other sessions on all nodes', async () => {
  const [own, other] = [await signIn(0), await signIn(1)];
  await Promise.all([assertAccepted(own), assertAccepted(other)]);
  const changed = { password: PASSWORD, newPassword: `${PASSWORD} now` };
  const fresh = await post(2, '/password', changed, own);
  const endedAt = performance.now();
  await Promise.all([own, other].map((cookie) => assertRefusedSoon(statusWith(cookie), endedAt)));
  await assertAccepted(fresh);
});

test('read marks and presence reach a stream at another node', async () => {
  const cookie = await post(0, '/sign-in', { name: 'admin', password: `${PASSWORD} now` });
  const { key, channelId } = site;
  const { body: me } = await call(site.at(1), 'GET', '/api/v1/users/me', { key });
  const headers = { 'palaver-server': me.data.server.id as string, cookie };
  const stream = await EventStream.open(site.at(1), '', {}, headers);
  assert.equal(stream.status, 200);
  const sent = await call(site.at(2), 'POST', '/api/v1/messages', {
    key,
    body: { channelId, content: 'Hi' },
  });
  const marks = [{ channelId, messageId: sent.body.data.id }];
  const marked = await call(site.at(0), 'POST', '/api/people/reading/marks', { headers, body: { marks } });
  assert.equal(marked.status, 200, marked.text);
  const told = await stream.event(({ type }) => type === 'mark.updated');
  assert.deepEqual(told.data, marked.body.data.marks[0]);
  const userId = me.data.id as string;
  const statusAt = async (node: number) =>
    (await call(site.at(node), 'GET', `/api/people/presence?userIds=${userId}`, { headers })).body.data
      .people[0].status;
  for (let node = 0; node < NODES; node++) await until(async () => (await statusAt(node)) === 'online');
  const body = { status: 'dnd' };
  assert.equal((await call(site.at(2), 'PATCH', '/api/people/presence/me', { headers, body })).status, 200);
  await stream.event(
    ({ type, data }) =>
      type === 'presence.updated' &&
      data.people.some(
        (one: { userId: string; status: string }) => one.userId === userId && one.status === 'dnd',
      ),
  );
  stream.close();
});

test('attempt limits apply across all nodes', async () => {
  const strict = await Promise.all(
    [0, 1].map(() => site.start({ PALAVER_LIMITS: '{"*": 0, "attempt": 5}' })),
  );
  const statuses: number[] = [];
  for (let time = 0; time < 7; time++) {
    const node = strict[time % 2] as (typeof strict)[number];
    const body = { name: 'somebody', password: 'wrong' };
    const headers = { 'palaver-server': 'none' };
    statuses.push((await call(node, 'POST', '/api/people/sign-in', { headers, body })).status);
  }
  assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429, 429]);
});
