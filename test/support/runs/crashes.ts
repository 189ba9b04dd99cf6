import { test } from 'node:test';
import { Surfer } from '../browser.ts';

test('crashes its browser', async () => {
  const surfer = await Surfer.open();
  const page = await surfer.page();
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Browser.crash').catch(() => {});
  await page.evaluate('1');
});
