import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Page } from 'playwright-core';
import { linkFor, PASSWORD } from '../support/account.ts';
import { after, before, Surfer, test } from '../support/browser.ts';
import { dataOf } from '../support/expect.ts';
import { Scene } from '../support/scene.ts';
import { type Json, World } from '../support/world.ts';

/** The response as a page sees it: status and body, or the error that `fetch` threw. */
interface Got {
  status: number;
  body: Json;
  error?: string;
}

const ask = (page: Page, url: string, options: object = {}): Promise<Got> =>
  page.evaluate(
    async ([url, options]) => {
      try {
        const answer = await fetch(url, options);
        const text = await answer.text();
        return { status: answer.status, body: text.startsWith('{') ? JSON.parse(text) : text };
      } catch (error) {
        return { status: 0, body: null, error: String(error) };
      }
    },
    [url, options] as const,
  );

let world: World;
let scene: Scene;
let surfer: Surfer;
let page: Page;
let channel: Json;
const json = (place: string) => ({ 'content-type': 'application/json', 'palaver-server': place });

before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
  channel = await scene.channel();
  surfer = await Surfer.open();
  page = await surfer.page();
  // A page on the server without its own content security policy, like a client's page.
  await page.goto(`${world.url}/openapi.json`);
  const { token } = await linkFor(world, scene.owner);
  const body = JSON.stringify({ token, password: PASSWORD });
  const claimed = await ask(page, '/api/people/links/claim', {
    method: 'POST',
    headers: json('none'),
    body,
  });
  assert.equal(claimed.status, 200, JSON.stringify(claimed));
});
after(async () => {
  await surfer?.close();
  await world?.close();
});

const said = async (): Promise<number> =>
  dataOf(await scene.admin.get(`/channels/${channel.id}/messages`)).length;
const send = (content: string) => JSON.stringify({ channelId: channel.id, content });

test('a same-origin page uses the API with the cookie, which scripts cannot read', async () => {
  const headers = json(scene.server.id);
  const sent = await ask(page, '/api/v1/messages', { method: 'POST', headers, body: send('Hello') });
  assert.equal(sent.status, 200, JSON.stringify(sent));
  assert.equal(await said(), 1);
  assert.equal(await page.evaluate('document.cookie'), '');
  const without = await ask(page, '/api/v1/servers');
  assert.equal(without.status, 401);
});

test('a page from another origin cannot use the session, even on the same host', async () => {
  const foreign = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end('<title>Another</title>');
  }).listen(0, '127.0.0.1');
  await once(foreign, 'listening');
  const { port } = foreign.address() as AddressInfo;
  try {
    // Uses the signed-in person's browser. Cookies ignore the port, and all ports of a host are one site.
    const other = await page.context().newPage();
    await other.goto(`http://127.0.0.1:${port}/`);
    const url = `${world.url}/api/v1/messages`;
    const headers = json(scene.server.id);
    const forged = { method: 'POST', credentials: 'include', body: send('forged') };
    const asked = await ask(other, url, { ...forged, headers });
    assert.equal(asked.status, 0, 'the preflight refuses the header');
    for (const type of ['text/plain', 'application/x-www-form-urlencoded'])
      await ask(other, url, { ...forged, mode: 'no-cors', headers: { 'content-type': type } });
    const read = await ask(other, `${world.url}/api/v1/servers`, { credentials: 'include' });
    assert.equal(read.status, 0, 'no page may read an answer to a request with cookies');
    const out = { method: 'POST', credentials: 'include', mode: 'no-cors' };
    await ask(other, `${world.url}/api/people/sign-out`, out);
    const form = `<form method="post" enctype="text/plain" action="${world.url}/api/people/sign-out"><input name='{"a":"' value='"}'></form>`;
    await other.setContent(form);
    await other.evaluate('document.forms[0].submit()');
    await other.waitForURL(`${world.url}/api/people/sign-out`);
    assert.match(await other.content(), /UNAUTHORIZED/);
    await other.goto(`http://127.0.0.1:${port}/`);
    await other.evaluate('document.cookie = "palaver=planted; path=/api"');
  } finally {
    foreign.close();
    foreign.closeAllConnections();
  }
  assert.equal(await said(), 1);
  const { status, body } = await ask(page, '/api/v1/servers', { headers: json(scene.server.id) });
  assert.equal(status, 401, 'two cookies: one of them was planted');
  assert.match(body.error.message, /several session cookies/);
  await page.context().clearCookies({ path: '/api' });
  const alone = await ask(page, '/api/v1/servers', { headers: json(scene.server.id) });
  assert.equal(alone.status, 200, 'the session is unchanged');
});

/**
 * Runs a WebAuthn ceremony as a client does: passes the options unchanged and returns the response unchanged.
 */
const ceremony = (one: Page, kind: 'create' | 'get', options: Json): Promise<Json> =>
  one.evaluate(
    async ([kind, options]) => {
      // biome-ignore lint/suspicious/noExplicitAny: this runs in the browser, whose types the tests lack
      const { PublicKeyCredential, navigator } = globalThis as any;
      try {
        const publicKey =
          kind === 'create'
            ? PublicKeyCredential.parseCreationOptionsFromJSON(options)
            : PublicKeyCredential.parseRequestOptionsFromJSON(options);
        return (await navigator.credentials[kind]({ publicKey })).toJSON();
      } catch (error) {
        return String(error);
      }
    },
    [kind, options] as const,
  );
const dataIn = ({ status, body }: Got): Json => {
  assert.equal(status, 200, JSON.stringify(body));
  return body.data;
};
async function addAuthenticator(own: Page): Promise<void> {
  const devtools = await own.context().newCDPSession(own);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

test('a passkey registers, signs in and confirms an identity; a page from another origin cannot use it', async () => {
  const origin = world.url.replace('127.0.0.1', 'localhost');
  const own = await page.context().newPage();
  await own.goto(`${origin}/openapi.json`);
  await addAuthenticator(own);
  const post = (path: string, body?: object) =>
    ask(own, `/api/people${path}`, {
      method: 'POST',
      headers: json('none'),
      ...(body && { body: JSON.stringify(body) }),
    });
  const user = await world.user();
  const { token } = await linkFor(world, user);
  dataIn(await post('/links/claim', { token, password: PASSWORD }));
  const creation = dataIn(await post('/passkeys/options'));
  const made = dataIn(await post('/passkeys', { passkey: await ceremony(own, 'create', creation) }));
  assert.equal(made.origin, origin);
  dataIn(await post('/sign-out'));
  assert.equal((await ask(own, '/api/people/me', { headers: json('none') })).status, 401);

  const forged = dataIn(await post('/sign-in/options'));
  const options = dataIn(await post('/sign-in/options'));
  const me = dataIn(await post('/sign-in/passkey', { passkey: await ceremony(own, 'get', options) }));
  assert.equal(me.id, user.id);
  const proof = dataIn(await post('/proof/options'));
  dataIn(await post('/proof', { passkey: await ceremony(own, 'get', proof) }));

  const foreign = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end('<title>Another</title>');
  }).listen(0, '127.0.0.1');
  await once(foreign, 'listening');
  const { port } = foreign.address() as AddressInfo;
  try {
    // The browser rejects the passkey on another host; Palaver itself rejects it on another port.
    await own.goto(`http://127.0.0.1:${port}/`);
    assert.match(await ceremony(own, 'get', forged), /SecurityError|NotAllowedError/);
    await own.goto(`http://localhost:${port}/`);
    const stolen = await ceremony(own, 'get', forged);
    assert.equal(stolen.type, 'public-key', JSON.stringify(stolen));
    await own.goto(`${origin}/openapi.json`);
    assert.equal((await post('/sign-in/passkey', { passkey: stolen })).status, 401);
  } finally {
    foreign.close();
    foreign.closeAllConnections();
  }
});
