import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { Surfer, skip } from '../support/browser.ts';
import { RealProvider, settingsOf } from '../support/provider.ts';
import { type Json, World } from '../support/world.ts';

/** Finds a free port, because the provider has to know the address before the server listens. */
async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Starts a sign-in from a page of the server, and returns the URL of the provider. */
function startSignIn(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const headers = { 'palaver-server': 'none', 'content-type': 'application/json' };
    const body = JSON.stringify({ returnTo: '/docs/?from=there' });
    const answer = await fetch('/api/people/providers/real/start', { method: 'POST', headers, body });
    return ((await answer.json()) as Json).data.url as string;
  });
}

describe('sign-in through a provider in a real browser', { skip }, () => {
  let world: World;
  let provider: RealProvider;
  let surfer: Surfer;
  before(async () => {
    const port = await freePort();
    const address = `http://localhost:${port}`;
    // With a different host name, the provider is another site, so its redirect back to Palaver carries no
    // `SameSite=Strict` cookies.
    provider = await RealProvider.open([`${address}/sign-in/real`], '127.0.0.1');
    const providers = [settingsOf('real', provider.issuer)];
    world = await World.open({ port, address, signUp: 'open', providers });
    surfer = await Surfer.open();
  });
  after(async () => {
    await surfer?.close();
    await world?.close();
    await provider?.close();
  });

  test('the browser visits the provider, returns, asks for a username, and is signed in', async () => {
    const page = await surfer.page();
    const address = world.url.replace('127.0.0.1', 'localhost');
    await page.goto(`${address}/openapi.json`);
    await page.goto(await startSignIn(page));
    await page.fill('input[name=login]', 'ada');
    await page.fill('input[name=password]', 'x');
    await page.click('button[type=submit]');
    const username = page.locator('input[name=username]');
    await username.waitFor({ state: 'visible' });
    assert.equal(page.url(), `${address}/sign-in/real`, 'the code is not left in the address');
    assert.equal(await username.inputValue(), 'ada');
    assert.equal(await page.locator('input[name=code]').isVisible(), false);
    await username.fill('no/name');
    await page.click('button[type=submit]');
    await page.getByText('Use only lowercase letters a–z').waitFor();
    await username.fill('ada');
    await page.click('button[type=submit]');
    await page.waitForURL(`${address}/docs/?from=there`);
    const me = await page.evaluate(async () => {
      const answer = await fetch('/api/people/me', { headers: { 'palaver-server': 'none' } });
      return ((await answer.json()) as Json).data;
    });
    assert.deepEqual([me.username, me.name], ['ada', 'ada of the provider']);
    const cookies = await page.context().cookies(address);
    assert.deepEqual(
      cookies.map(({ name, sameSite, httpOnly }) => [name, sameSite, httpOnly]),
      [
        ['palaver', 'Strict', true],
        ['palaver-known', 'Strict', true],
      ],
    );
    // Opening the page directly, without coming from the provider, shows an explanation.
    await page.goto(`${address}/sign-in/real`);
    await page.getByText('No sign-in is in progress. Go back and sign in again.').waitFor();
  });
});
