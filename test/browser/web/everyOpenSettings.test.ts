import { after, before, describe, test } from 'node:test';
import { skip } from '../../support/browser.ts';
import { hostileScene } from '../../support/everyPage.ts';
import { crawl } from '../../support/openStates.ts';
import { WebClient } from '../../support/webClient.ts';
import type { Json } from '../../support/world.ts';

describe('every dialog, menu and popover in the settings', { skip }, () => {
  let client: WebClient;
  let person: Json;
  let paths: Record<string, string[]>;
  before(async () => {
    client = await WebClient.open({ signUp: 'open' });
    ({ person, paths } = await hostileScene(client));
  });
  after(() => client?.close());

  test('of a server is accessible, takes the focus and returns it', async () => {
    const opens = [
      ...['members, button: Claim links', 'channels, button: Edit *', 'exports, button: New export'],
      ...['words, button: New word rule', 'words, button: Actions for zzyzx, Edit'],
    ].map((one) => `settings ${one}`);
    await crawl(paths.serverSettings ?? [], { client, person, least: 60, opens });
  });

  test('of the account and the platform is accessible, takes the focus and returns it', async () => {
    const opens = [
      ...['imports, button: New import', 'imports, button: Details of Slack, *'],
      ...['holds, button: Create hold', 'holds, button: Deleted messages: *', 'holds, button: End hold: *'],
    ].map((one) => `platform ${one}`);
    await crawl(['/me', '/platform'], { client, person, least: 20, opens });
    client.assertSound();
  });
});
