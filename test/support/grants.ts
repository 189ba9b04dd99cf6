import assert from 'node:assert/strict';
import { Browser } from './account.ts';
import { CLIENT, form, pkce, redirectBody } from './apps.ts';
import { assertRefused, dataOf } from './expect.ts';
import type { Scene } from './scene.ts';
import type { Answer, Client, Json, World } from './world.ts';

export interface Granted {
  token: string;
  refreshToken: string;
  client: string;
  /** The body of the token response. */
  answer: Json;
}

/** The fields that the app requests and the person grants: `client`, `redirectUri`, `flags`, `resource`. */
export type Granting = {
  client?: string;
  redirectUri?: string;
  flags?: readonly string[];
  resource?: string;
};

/** The code with which the person's browser is sent back to the app. */
export async function grantCode(
  browser: Browser,
  serverId: string,
  { flags = [], ...fields }: Granting = {},
): Promise<{ code: string; verifier: string }> {
  const { verifier, challenge } = pkce();
  const body = redirectBody(challenge, { serverId, flags, ...fields });
  const { redirectTo } = dataOf(await browser.post('/approvals/redirect', body));
  return { code: new URL(redirectTo).searchParams.get('code') as string, verifier };
}

export const exchanged = (
  world: World,
  { code, verifier }: { code: string; verifier: string },
  fields: Record<string, string> = {},
): Promise<Answer> =>
  form(world, 'token', {
    grant_type: 'authorization_code',
    client_id: CLIENT,
    redirect_uri: redirectBody('').redirectUri,
    code,
    code_verifier: verifier,
    ...fields,
  });

/** Approves an app in a person's browser, and fetches its tokens. */
export async function granted(
  world: World,
  browser: Browser,
  serverId: string,
  granting: Granting = {},
): Promise<Granted> {
  const { client = CLIENT, redirectUri } = granting;
  const fields = { client_id: client, ...(redirectUri && { redirect_uri: redirectUri }) };
  const { status, body } = await exchanged(world, await grantCode(browser, serverId, granting), fields);
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
  return { token: body.access_token, refreshToken: body.refresh_token, client, answer: body };
}

export const refreshed = (
  world: Pick<World, 'request' | 'url'>,
  { refreshToken, client }: Pick<Granted, 'refreshToken' | 'client'>,
  fields: Record<string, string> = {},
): Promise<Answer> =>
  form(world, 'token', {
    grant_type: 'refresh_token',
    client_id: client,
    refresh_token: refreshToken,
    ...fields,
  });

/** A new member of the scene's server, and an app that acts for them there. */
export async function memberWithApp({ world, server }: Scene): Promise<{
  user: Json;
  membership: Json;
  browser: Browser;
  tokens: Granted;
}> {
  const user = await world.user();
  const membership = await world.member(server, user);
  const browser = await Browser.of(world, user);
  return { user, membership, browser, tokens: await granted(world, browser, server.id) };
}

/** Asserts that neither token of a grant works any longer. */
export async function assertEnded(world: World, tokens: Granted): Promise<void> {
  assertRefused(await appOf(world, tokens.token).get('/servers'), 'UNAUTHORIZED');
  const { status, body } = await refreshed(world, tokens);
  assert.deepEqual([status, body.error], [400, 'invalid_grant']);
}

type Methods = Pick<Client, 'get' | 'post' | 'patch' | 'delete'>;

/** Sends requests under /api/v1 as an app with a grant: with its token, and without headers specific to Palaver. */
export function appOf(world: World, token: string): Methods {
  const call =
    (method: string): Methods['post'] =>
    (path, body, headers) =>
      world.request(method, `${world.url}/api/v1${path}`, {
        body,
        headers: { authorization: `Bearer ${token}`, ...headers },
      });
  return {
    get: (path, headers) => call('GET')(path, undefined, headers),
    post: call('POST'),
    patch: call('PATCH'),
    delete: call('DELETE'),
  } as Methods;
}
