// @run chromium: the headless shell lacks offline storage
import assert from 'node:assert/strict';
import { after, before, test } from '../../support/browser.ts';
import { settled } from '../../support/everyPage.ts';
import { dataOf } from '../../support/expect.ts';
import { png } from '../../support/pictures.ts';
import { until } from '../../support/process.ts';
import { upload } from '../../support/uploads.ts';
import { WebClient, withoutWorker } from '../../support/webClient.ts';

let client: WebClient;
before(async () => {
  client = await WebClient.open({}, 'whole');
});
after(() => client?.close());

test('the client opens for visitors and signed-in people without violating its content security policy', async () => {
  const { world } = client;
  const person = await world.user();
  const server = await world.server(person);
  for (const page of [await client.visit(), await client.signedIn(person, `/s/${server.id}`)]) {
    await page.locator('#app > *').first().waitFor();
    assert.match(await page.title(), /\bPalaver$/);
    // In a browser without a cache, the font has loaded before the first text appears.
    assert.ok(await page.evaluate<boolean>(`document.fonts.check('500 15px Inter')`));
  }
  const me = await (await client.signedIn(person)).evaluate<string>(
    `fetch('/api/people/me', { headers: { 'palaver-server': 'none' } }).then(async (answer) => (await answer.json()).data.id)`,
  );
  assert.equal(me, person.id);
  client.assertSound();
});

test("a visitor's page makes no request that would be rejected; a page cached before the sign-in checks the session", async () => {
  const begun = client.surfer.complaints.length;
  const visitor = await client.visit('/sign-in');
  await visitor.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
  assert.deepEqual(client.surfer.complaints.slice(begun), []);
  const person = await client.world.user();
  const server = await client.world.server(person);
  const page = await client.signedIn(person, `/s/${server.id}`);
  await page.getByText(server.name).first().waitFor();
  // Serves a page that was cached before the sign-in, as the service worker might.
  await page.route('**/s/*', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({
      response: answer,
      body: (await answer.text()).replace('data-signed-in', 'data-signed-out'),
    });
  });
  await page.reload();
  await page.getByText(server.name).first().waitFor();
});

test('the client opens in a browser with an invalid locale, as on a Unix without one', async () => {
  const page = await client.surfer.page({ baseURL: client.url });
  await page.addInitScript(`Object.defineProperty(navigator, 'languages', { value: ['C', 'en_US', ''] })`);
  await page.goto('/sign-in');
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
  client.assertSound();
});

test('a script that fails to load reloads the page once, then shows an error', async () => {
  const person = await client.world.user();
  const server = await client.world.server(person);
  const page = await client.signedIn(person, '/', withoutWorker);
  await page.locator('.frame').waitFor();
  const begun = client.surfer.complaints.length;
  const isPart = /\/web\/SignedIn-\w+\.js$/;
  await page.route(isPart, (route) => route.abort());
  let loads = 0;
  page.on('load', () => loads++);
  await page.goto(`/s/${server.id}`);
  const again = page.getByRole('alert').getByRole('button', { name: 'Reload' });
  await again.waitFor();
  await page.waitForTimeout(1000);
  assert.equal(loads, 2);
  await page.unroute(isPart);
  client.surfer.complaints.length = begun;
  await again.click();
  await page.getByText(server.name).first().waitFor();
});

test('parts that the page can do without are left out when they fail to load, and loading is repeated', async () => {
  const person = await client.world.user();
  const server = await client.world.server(person);
  const keeper = await client.world.client(server, ['canAdmin'], person);
  const channel = dataOf(await keeper.post('/channels', { serverId: server.id, name: 'parts' }));
  dataOf(await keeper.post('/messages', { channelId: channel.id, content: '```js\nconst part = 1;\n```' }));
  const page = await client.signedIn(person, '/me', withoutWorker);
  const begun = client.surfer.complaints.length;
  const isPart = /\/web\/(FirstSteps|Highlighted)-\w+\.js$/;
  const failed: string[] = [];
  await page.route(isPart, (route) => {
    failed.push(isPart.exec(route.request().url())?.[1] as string);
    return route.abort();
  });
  await page.goto(`/s/${server.id}/c/${channel.id}`);
  await page.getByText('const part = 1;').waitFor();
  await until(() => new Set(failed).size === 2);
  await page.getByRole('link', { name: 'parts' }).waitFor();
  assert.equal(await page.getByRole('alert').count(), 0);
  assert.equal(await page.locator('.first-steps, .hljs-keyword').count(), 0);
  await page.unroute(isPart);
  await page.locator('.first-steps').waitFor();
  await page.locator('.hljs-keyword', { hasText: 'const' }).waitFor();
  client.surfer.complaints.length = begun;
  await page.context().close();
});

test('the client opens offline, even after a single visit', async () => {
  const person = await client.world.user();
  const server = await client.world.server(person);
  const page = await client.signedIn(person, `/s/${server.id}`);
  await page.getByText(server.name).first().waitFor();
  const kept = () =>
    page.evaluate<string[]>(
      `caches.open('palaver').then(async (cache) => (await cache.keys()).map(({ url }) => new URL(url).pathname))`,
    );
  const loaded = await page.evaluate<string[]>(
    `performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname).filter((path) => path.startsWith('/web/'))`,
  );
  await until(async () => {
    const paths = new Set(await kept());
    return paths.has('/') && loaded.every((path) => paths.has(path));
  });
  await page.context().setOffline(true);
  const late = await page.context().newPage();
  await late.goto(`/s/${server.id}`);
  await late.getByText("Can't reach the server").waitFor();
  const paths = await kept();
  assert.ok(
    paths.every((path) => path === '/' || path.startsWith('/web/')),
    String(paths),
  );
});

test("a member sees the server's welcome text under its banner until they hide it", async () => {
  const { world } = client;
  const [owner, member] = [await world.user(), await world.user()];
  const server = await world.server(owner);
  await world.member(server, member);
  const admin = await world.client(server, ['canAdmin'], owner);
  const { status } = await admin.patch(`/servers/${server.id}`, { welcome: 'Mind the tide.' });
  assert.equal(status, 200);
  const banner = await upload(world, admin, new Uint8Array(png(160, 50)), 'banner.png', {
    path: `/servers/${server.id}/banner`,
    type: 'image/png',
  });
  assert.equal(banner.status, 200);

  const page = await client.signedIn(member, `/s/${server.id}`, withoutWorker);
  const welcome = page.getByRole('region', { name: 'Welcome' });
  await welcome.getByText('Mind the tide.').waitFor();
  await page.locator('.channel-list-banner').waitFor();
  await welcome.getByRole('button', { name: 'Dismiss welcome message' }).click();
  await welcome.waitFor({ state: 'detached' });
  await page.reload();
  await page.locator('.channel-list-banner').waitFor();
  await settled(page);
  assert.equal(await welcome.count(), 0);

  const own = await client.signedIn(owner, `/s/${server.id}`, withoutWorker);
  await own.locator('.channel-list-banner').waitFor();
  await settled(own);
  assert.equal(await own.getByRole('region', { name: 'Welcome' }).count(), 0);
});
