import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Surfer } from '../browser.ts';

let surfer: Surfer;
after(() => surfer?.close());

test('opens a page', async () => {
  surfer = await Surfer.open();
  const page = await surfer.page();
  assert.equal(await page.evaluate('1 + 1'), 2);
});
