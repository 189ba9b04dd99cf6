import { createHash, randomBytes } from 'node:crypto';
import type { Browser } from './account.ts';
import { dataOf } from './expect.ts';
import type { Answer, Client, Json, World } from './world.ts';

export const CLIENT = 'Palaver for Tests';
const REDIRECT = 'http://127.0.0.1:51004/done';
export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** Posts a form, as OAuth libraries do, without any headers specific to Palaver. */
export const form = (
  world: Pick<World, 'request' | 'url'>,
  path: string,
  fields: Record<string, string>,
): Promise<Answer> =>
  world.request('POST', `${world.url}/oauth/${path}`, {
    raw: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });

/** Starts a device authorization. */
export const begin = async (world: World, fields: Record<string, string> = {}): Promise<Json> =>
  (await form(world, 'device_authorization', { client_id: CLIENT, ...fields })).body;

export const poll = (
  world: World,
  deviceCode: string,
  fields: Record<string, string> = {},
): Promise<Answer> =>
  form(world, 'token', { grant_type: DEVICE_GRANT, client_id: CLIENT, device_code: deviceCode, ...fields });

/** A verifier and its challenge (RFC 7636, 4). */
export function pkce(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** The body with which the authorization page approves a redirect. */
export const redirectBody = (challenge: string, fields: object = {}): Json => ({
  client: CLIENT,
  redirectUri: REDIRECT,
  codeChallenge: challenge,
  codeChallengeMethod: 'S256',
  ...fields,
});

/** Exchanges the code from a redirect for a token. */
export const redeem = (
  world: World,
  code: string,
  verifier: string,
  fields: Record<string, string> = {},
): Promise<Answer> =>
  form(world, 'token', {
    grant_type: 'authorization_code',
    client_id: CLIENT,
    redirect_uri: REDIRECT,
    code,
    code_verifier: verifier,
    ...fields,
  });

/** The token of an app that a person has approved in a browser. */
export async function approved(
  world: World,
  browser: Browser,
  fields: Record<string, string> = {},
): Promise<string> {
  const { device_code: code, user_code: userCode } = await begin(world, fields);
  dataOf(await browser.post('/approvals', { userCode }));
  return (await poll(world, code)).body.access_token;
}

/** An app that sends its token, and the server in which it acts, if any. */
export class App {
  readonly world: World;
  readonly token: string;
  place: string | undefined;

  constructor(world: World, token: string, place: string | undefined = 'none') {
    this.world = world;
    this.token = token;
    this.place = place;
  }

  send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return this.world.request(method, `${this.world.url}/api${path}`, {
      body,
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(this.place !== undefined && { 'palaver-server': this.place }),
        ...headers,
      },
    });
  }

  get: Pick<Client, 'get'>['get'] = (path, headers) => this.send('GET', path, undefined, headers);
  post: Pick<Client, 'post'>['post'] = (path, body, headers) => this.send('POST', path, body, headers);
}
