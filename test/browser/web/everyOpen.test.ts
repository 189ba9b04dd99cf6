import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { skip } from '../../support/browser.ts';
import { go, hostileScene, settled } from '../../support/everyPage.ts';
import { OpenStates } from '../../support/openStates.ts';
import { WebClient, withoutWorker } from '../../support/webClient.ts';
import type { Json } from '../../support/world.ts';

const desktop = { width: 1280, height: 800 };
const phone = { width: 390, height: 844 };

describe('every dialog, menu and popover', { skip }, () => {
  let client: WebClient;
  let person: Json;
  let paths: Record<string, string[]>;
  before(async () => {
    client = await WebClient.open({ signUp: 'open' });
    ({ person, paths } = await hostileScene(client));
  });
  after(() => client?.close());

  /** Opens all that these pages have, and what their lists of sections lead to. `least` is how much that is at least. */
  async function crawl(
    pages: string[],
    least: number,
    { size = desktop, inBoth = false } = {},
  ): Promise<void> {
    const options = { ...withoutWorker, reducedMotion: 'reduce', viewport: size } as const;
    const page = await client.signedIn(person, '/me/language', options);
    page.setDefaultTimeout(10_000);
    await settled(page);
    const states = new OpenStates(page, inBoth);
    for (const path of pages) {
      await go(page, path);
      const sections = await page.evaluate<string[]>(
        `[...document.querySelectorAll('nav a[href^="${path}/"]')].map((one) => one.pathname)`,
      );
      if (sections.length === 0) await states.visit('a channel', path);
      for (const one of sections) await states.visit(one.split('/').slice(-2).join(' '), one);
    }
    assert.deepEqual(states.found, []);
    assert.ok(states.opened.size >= least, `${states.opened.size}: ${[...states.opened].join('; ')}`);
    await page.context().close();
  }
  test('of a channel is accessible in both themes, gets the focus and gives it back', async () => {
    const inChannel = (paths.server ?? []).filter((path) => !/\/m\//.test(path));
    await crawl(inChannel, 12, { inBoth: true });
  });

  test('of the settings of a server is so, too', async () => {
    await crawl(paths.serverSettings ?? [], 20);
  });

  test('of one’s own pages and of the platform is so, too', async () => {
    await crawl(['/me', '/platform'], 5);
  });

  test('of a channel on a phone is so, too, and nothing of it is cut off', async () => {
    await crawl((paths.server ?? []).slice(0, 1), 4, { size: phone });
    client.assertSound();
  });
});
