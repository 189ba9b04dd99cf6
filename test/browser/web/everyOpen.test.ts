import { after, before, describe, test } from 'node:test';
import { skip } from '../../support/browser.ts';
import { hostileScene } from '../../support/everyPage.ts';
import { crawl } from '../../support/openStates.ts';
import { WebClient } from '../../support/webClient.ts';
import type { Json } from '../../support/world.ts';

describe('every dialog, menu and popover in channels', { skip }, () => {
  let client: WebClient;
  let person: Json;
  let paths: Record<string, string[]>;
  before(async () => {
    client = await WebClient.open({ signUp: 'open' });
    ({ person, paths } = await hostileScene(client));
  });
  after(() => client?.close());

  test('is accessible in both themes, takes the focus and returns it', async () => {
    const pages = (paths.server ?? []).filter((path) => !/\/m\//.test(path));
    await crawl(pages, { client, person, least: 12, inBoth: true });
  });

  test('is accessible on a phone, and nothing is cut off', async () => {
    const size = { width: 390, height: 844 };
    await crawl((paths.server ?? []).slice(0, 1), { client, person, least: 4, size });
    client.assertSound();
  });
});
