import { after, before, describe, test } from 'node:test';
import { skip } from '../../support/browser.ts';
import { hostileScene } from '../../support/everyPage.ts';
import { crawl } from '../../support/openStates.ts';
import { WebClient } from '../../support/webClient.ts';
import type { Json } from '../../support/world.ts';

describe('every dialog, menu and popover of settings', { skip }, () => {
  let client: WebClient;
  let person: Json;
  let paths: Record<string, string[]>;
  before(async () => {
    client = await WebClient.open({ signUp: 'open' });
    ({ person, paths } = await hostileScene(client));
  });
  after(() => client?.close());

  test('a server: it is accessible, takes the focus and returns it', async () => {
    await crawl(paths.serverSettings ?? [], { client, person, least: 20 });
  });

  test('the account and the platform: it is accessible, takes the focus and returns it', async () => {
    await crawl(['/me', '/platform'], { client, person, least: 5 });
    client.assertSound();
  });
});
