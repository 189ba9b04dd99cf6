import assert from 'node:assert/strict';
import { CLIENT, pkce, redirectBody } from '../support/apps.ts';
import { after, before, type Site, test } from '../support/nodes.ts';
import { PeopleAtNodes } from '../support/peopleAtNodes.ts';
import { call } from '../support/process.ts';
import type { Json } from '../support/world.ts';

const NODES = 3;
/**
 * The longest time that a node may accept a revoked grant, or a flag it has lost, not counting stalls of the machine.
 */
const NOTICED_MS = 1_000;
const PASSWORD = 'a horse that nobody rides';

let site: Site;
let own: string;
let serverId: string;
const people = new PeopleAtNodes(NODES, { password: PASSWORD, noticedMs: NOTICED_MS });
const { ask, signIn, assertRefusedSoon } = people;
before(async () => {
  site = await people.open();
  own = await signIn(0);
  serverId = (await ask(0, 'GET', '/servers', own)).body.data[0].id;
});
after(() => people.close());

async function token(node: number, fields: Record<string, string>): Promise<Json> {
  const body = new URLSearchParams({ client_id: CLIENT, ...fields });
  const answer = await fetch(`${site.at(node).url}/oauth/token`, { method: 'POST', body });
  return (await answer.json()) as Json;
}

/** The fields with which an app exchanges the code that a person just approved. */
async function approved(cookie: string, flags: readonly string[]): Promise<Record<string, string>> {
  const { verifier, challenge } = pkce();
  const body = redirectBody(challenge, { serverId, flags });
  const answer = await ask(1, 'POST', '/approvals/redirect', cookie, body);
  assert.equal(answer.status, 200, answer.text);
  const code = new URL(answer.body.data.redirectTo).searchParams.get('code') as string;
  return { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: body.redirectUri };
}

const granted = async (cookie: string, flags: readonly string[] = []): Promise<Json> =>
  token(2, await approved(cookie, flags));

const statusWith =
  (accessToken: string, path = `/servers/${serverId}`) =>
  async (node: number): Promise<number> => {
    const headers = { authorization: `Bearer ${accessToken}` };
    return (await call(site.at(node), 'GET', `/api/v1${path}`, { headers })).status;
  };

async function everywhere(statusAt: (node: number) => Promise<number>, status: number): Promise<void> {
  for (let node = 0; node < NODES; node++) assert.equal(await statusAt(node), status, `node ${node}`);
}

/** A member with an account, and a role with canModerate that no other user has. */
async function member(username: string): Promise<{ cookie: string; roleId: string }> {
  const made = JSON.parse((await site.run(['user', 'create', '--username', username, '--json'])).stdout);
  const node = 0;
  const admin = { key: site.key };
  const userId = made.data?.id ?? made.id;
  const join = await call(site.at(node), 'POST', '/api/v1/server-members', { ...admin, body: { userId } });
  assert.equal(join.status, 200, join.text);
  const { id: roleId } = await site.make('/roles', { name: username, canModerate: true });
  await site.make('/user-roles', { userId, roleId });
  const link = await ask(node, 'POST', `/platform/users/${userId}/link`, own, { purpose: 'claim' });
  assert.equal(link.status, 200, link.text);
  const linkToken = /link_plv_\w+/.exec(link.text)?.[0];
  return {
    cookie: await people.post(node, '/links/claim', { token: linkToken, password: PASSWORD }),
    roleId,
  };
}

test('a revoked grant is refused by all nodes within a second', async () => {
  for (let time = 0; time < 6; time++) {
    const { access_token: accessToken } = await granted(own);
    await everywhere(statusWith(accessToken), 200);
    const [{ id }] = (await ask(0, 'GET', '/grants', own)).body.data;
    assert.equal((await ask(time % NODES, 'DELETE', `/grants/${id}`, own)).status, 200);
    await assertRefusedSoon(statusWith(accessToken), performance.now());
  }
});

test('a role that the person lost is removed from their grants at all nodes within a second', async () => {
  const { cookie, roleId } = await member('rosa');
  const { access_token: accessToken, scope } = await granted(cookie, ['canModerate']);
  assert.equal(scope, 'read canModerate');
  const statusAt = statusWith(accessToken, `/servers/${serverId}/bans`);
  await everywhere(statusAt, 200);
  const changed = await call(site.at(1), 'DELETE', `/api/v1/roles/${roleId}`, { key: site.key });
  assert.equal(changed.status, 200, changed.text);
  const endedAt = performance.now();
  const refused = async (node: number) => ((await statusAt(node)) === 403 ? 401 : 200);
  await assertRefusedSoon(refused, endedAt);
  await everywhere(statusWith(accessToken), 200);
});

test('a refresh token is exchanged by at most one of several nodes, and a second use revokes the grant', async () => {
  for (let time = 0; time < 5; time++) {
    const { refresh_token: refreshToken } = await granted(own);
    const fields = { grant_type: 'refresh_token', refresh_token: refreshToken };
    const answers = await Promise.all([0, 1, 2].map((node) => token(node, fields)));
    const accepted = answers.filter(({ access_token: accessToken }) => accessToken !== undefined);
    assert.equal(accepted.length, 1, JSON.stringify(answers));
    const next = { ...fields, refresh_token: accepted[0]?.refresh_token };
    assert.equal((await token(time % NODES, next)).error, 'invalid_grant');
    await assertRefusedSoon(statusWith(accepted[0]?.access_token), performance.now());
  }
});

test('a code is exchanged by at most one of several nodes, and a second use revokes the grant', async () => {
  const fields = await approved(own, []);
  const answers = await Promise.all([0, 1, 2].map((node) => token(node, fields)));
  const accepted = answers.filter(({ access_token: accessToken }) => accessToken !== undefined);
  assert.equal(accepted.length, 1, JSON.stringify(answers));
  await assertRefusedSoon(statusWith(accepted[0]?.access_token), performance.now());
});
