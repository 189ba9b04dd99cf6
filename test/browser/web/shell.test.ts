import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { skip } from '../../support/browser.ts';
import { until } from '../../support/process.ts';
import { WebClient } from '../../support/webClient.ts';

describe('the web client in a browser', { skip }, () => {
  let client: WebClient;
  before(async () => {
    client = await WebClient.open();
  });
  after(() => client?.close());

  test('opens for a visitor and for a person, and its policy stops nothing', async () => {
    const { world } = client;
    const person = await world.user();
    const server = await world.server(person);
    for (const page of [await client.visit(), await client.signedIn(person, `/s/${server.id}`)]) {
      await page.locator('#app > *').first().waitFor();
      assert.match(await page.title(), /\bPalaver$/);
    }
    const me = await (await client.signedIn(person)).evaluate<string>(
      `fetch('/api/people/me', { headers: { 'palaver-server': 'none' } }).then(async (answer) => (await answer.json()).data.id)`,
    );
    assert.equal(me, person.id);
    client.assertSound();
  });

  test('opens again without a network, also after the first visit', async () => {
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
    await late.getByText('The server does not answer').waitFor();
    const paths = await kept();
    assert.ok(
      paths.every((path) => path === '/' || path.startsWith('/web/')),
      String(paths),
    );
  });
});
