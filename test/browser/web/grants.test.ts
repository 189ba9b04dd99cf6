// @run sqlite: the pages do not depend on the engine
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { auth, type OAuthClientProvider } from '@modelcontextprotocol/client';
import type { Page } from 'playwright-core';
import { ClientHost } from '../../support/clientHost.ts';
import { dataOf } from '../../support/expect.ts';
import { Scene } from '../../support/scene.ts';
import { WebClient, withoutWorker } from '../../support/webClient.ts';
import type { Json } from '../../support/world.ts';

let client: WebClient;
let scene: Scene;
let host: ClientHost;
let callbacks: Server;
/** The query string of the last callback. */
let called: URLSearchParams | undefined;
before(async () => {
  host = await ClientHost.open();
  client = await WebClient.open({ clientDocuments: { allowPrivate: true } });
  scene = await Scene.open(client.world);
  callbacks = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://localhost');
    if (url.pathname === '/callback') called = url.searchParams;
    response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Back in the app</p>');
  });
  await new Promise<void>((resolve) => callbacks.listen(0, resolve));
});
after(async () => {
  callbacks.closeAllConnections();
  callbacks.close();
  await client.close();
  await host.close();
});

const callback = (): string => `http://localhost:${(callbacks.address() as AddressInfo).port}/callback`;

/** An MCP client from the official package, whose user has a browser. */
class Agent {
  readonly clientId: string;
  readonly scope: string | undefined;
  asked: URL | undefined;
  saved: Json | undefined;
  #verifier = '';

  constructor(clientId: string, scope?: string) {
    this.clientId = clientId;
    this.scope = scope;
  }

  get provider(): OAuthClientProvider {
    return {
      redirectUrl: callback(),
      clientMetadata: { redirect_uris: [callback()], client_name: 'Unused' },
      state: () => 'a-state',
      clientInformation: () => ({ client_id: this.clientId }),
      tokens: () => this.saved as never,
      saveTokens: (tokens) => {
        this.saved = tokens;
      },
      redirectToAuthorization: (url) => {
        this.asked = url;
      },
      saveCodeVerifier: (verifier) => {
        this.#verifier = verifier;
      },
      codeVerifier: () => this.#verifier,
    };
  }

  signIn(authorizationCode?: string) {
    const serverUrl = `${client.url}/mcp/${scene.server.id}`;
    return auth(this.provider, {
      serverUrl,
      ...(this.scope !== undefined && { scope: this.scope }),
      ...(authorizationCode !== undefined && { authorizationCode, iss: called?.get('iss') ?? undefined }),
    } as Parameters<typeof auth>[1]);
  }
}

/** A member of the scene's server, whose role lets them participate. */
async function member(): Promise<Json> {
  const user = await client.world.user();
  await client.world.member(scene.server, user);
  const role = await scene.role({ canEditData: true, canModerate: true });
  dataOf(await scene.admin.post('/user-roles', { userId: user.id, roleId: role.id }));
  return user;
}

const open = (user: Json, url: URL | string): Promise<Page> =>
  client.signedIn(user, String(url).slice(client.url.length), withoutWorker);

test('the official MCP client signs in with its metadata document, and its user in the browser', async () => {
  const user = await member();
  await client.world.member(await client.world.server(await client.world.user()), user);
  const agent = new Agent(host.publish(), 'read canEditData canAdmin');
  assert.equal(await agent.signIn(), 'REDIRECT');
  const page = await open(user, agent.asked as URL);
  await page
    .getByRole('heading', { name: 'Harbour Agent wants to act on your behalf in a server' })
    .waitFor();
  await page.getByText('Nobody has verified this app.').waitFor();
  const shown = await page.locator('.gate-facts').innerText();
  assert.match(shown, /Harbour Agent/);
  assert.ok(shown.includes(new URL(host.url).host), shown);
  assert.ok(shown.includes(scene.server.name), 'the server that the resource names');
  const box = (name: string) => page.getByRole('checkbox', { name });
  assert.equal(await box('Send messages').isChecked(), true, 'asked for, and held');
  assert.equal(await box('Edit and delete other').isChecked(), false, 'held, but not asked for');
  assert.equal(await box('Administer the server').isChecked(), false, 'asked for, but not held');
  assert.equal(await box('Administer the server').isDisabled(), true);
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByText('Back in the app').waitFor();
  assert.equal(called?.get('state'), 'a-state');
  assert.equal(called?.get('iss'), client.url);

  assert.equal(await agent.signIn(called?.get('code') as string), 'AUTHORIZED');
  assert.equal(agent.saved?.scope, 'read canEditData');
  const channel = await scene.channel();
  const send = (token: string) =>
    client.world.request('POST', '/messages', {
      body: { channelId: channel.id, content: 'Hello' },
      headers: { authorization: `Bearer ${token}` },
    });
  assert.equal(dataOf(await send(agent.saved?.access_token)).creatorId, user.id);

  // With a refresh token, the agent needs no browser.
  const before = agent.saved;
  agent.asked = undefined;
  assert.equal(await agent.signIn(), 'AUTHORIZED');
  assert.equal(agent.asked, undefined);
  assert.notEqual(agent.saved?.refresh_token, before?.refresh_token);
  dataOf(await send(agent.saved?.access_token));
  await page.context().close();

  const settings = await open(user, `${client.url}/me/sessions`);
  const row = settings.getByRole('listitem').filter({ hasText: 'Harbour Agent' });
  await row.getByText('last used').waitFor();
  assert.match(await row.innerText(), /Participate/);
  await row.getByRole('button', { name: 'Revoke Harbour Agent' }).click();
  await row.waitFor({ state: 'detached' });
  assert.equal((await send(agent.saved?.access_token)).status, 401);
  await settings.context().close();
});

test('without a resource, the user chooses the server, and unticks what they do not want', async () => {
  const user = await member();
  const other = await client.world.server(await client.world.user());
  await client.world.member(other, user);
  const agent = new Agent('Terminal', 'canEditData');
  await agent.signIn();
  const url = new URL(agent.asked as URL);
  url.searchParams.delete('resource');
  const page = await open(user, url);
  await page.getByText('It calls itself Terminal.').waitFor();
  await page.getByRole('combobox', { name: 'Server' }).selectOption(scene.server.id);
  await page.getByRole('checkbox', { name: 'Send messages' }).uncheck();
  called = undefined;
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByText('Back in the app').waitFor();
  await agent.signIn((called as unknown as URLSearchParams).get('code') as string);
  assert.equal(agent.saved?.scope, 'read');
  await page.context().close();
});

test('denying sends the app back without a code', async () => {
  const user = await member();
  const agent = new Agent(host.publish());
  await agent.signIn();
  const page = await open(user, agent.asked as URL);
  called = undefined;
  await page.getByRole('button', { name: 'Deny' }).click();
  await page.getByText('Back in the app').waitFor();
  const answer = called as unknown as URLSearchParams;
  assert.deepEqual([answer.get('error'), answer.get('code')], ['access_denied', null]);
  await page.context().close();
});

test('an invalid app is neither shown nor redirected to', async () => {
  const user = await member();
  const wrong: [string, (url: URL) => void][] = [
    [
      'an address that its document does not name',
      (url) => url.searchParams.set('redirect_uri', 'https://evil.example/callback'),
    ],
    [
      'another document',
      (url) => url.searchParams.set('client_id', host.publish({ client_id: 'https://a.example/x' })),
    ],
    ['no document', (url) => url.searchParams.set('client_id', `${host.url}/none.json`)],
  ];
  for (const [name, change] of wrong) {
    const agent = new Agent(host.publish());
    await agent.signIn();
    const url = new URL(agent.asked as URL);
    change(url);
    const page = await open(user, url);
    await page.getByRole('heading', { name: 'Invalid request' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Approve' }).count(), 0, name);
    assert.equal(await page.getByRole('button', { name: 'Deny' }).count(), 0, name);
    assert.equal(await page.getByText('Harbour Agent').count(), 0, name);
    await page.context().close();
  }
});

test('a personal app still requests a session, and the page explains what that means', async () => {
  const user = await member();
  const agent = new Agent('Palaver for Linux');
  await agent.signIn();
  const url = new URL(agent.asked as URL);
  for (const name of ['resource', 'scope']) url.searchParams.delete(name);
  const page = await open(user, url);
  await page.getByText('it can do everything you can, in all your servers').waitFor();
  called = undefined;
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByText('Back in the app').waitFor();
  await agent.signIn((called as unknown as URLSearchParams).get('code') as string);
  assert.match(agent.saved?.access_token, /^access_plv_/);
  await page.context().close();
});
