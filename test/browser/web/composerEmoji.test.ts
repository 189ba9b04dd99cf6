import assert from 'node:assert/strict';

import { violationsIn } from '../../support/axe.ts';
import { after, afterEach, before, test } from '../../support/browser.ts';
import { Composing, fieldOf } from '../../support/composing.ts';

let scene: Composing;
before(async () => {
  scene = await Composing.open();
});
afterEach(() => scene.client.surfer.close());
after(() => scene?.close());

test('the emoji picker works by keyboard alone: open, search, navigate and choose', async () => {
  const page = await scene.window(scene.ada, scene.general);
  await page.route('**/Picker-*.js', (route) => setTimeout(() => route.continue(), 700));
  await page.keyboard.type('so ');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  // These keys are typed before the picker has loaded.
  await page.keyboard.type('par');
  const chosen = page.getByRole('gridcell', { selected: true });
  await chosen.waitFor();
  await page.keyboard.type('ty');
  assert.equal(await page.getByRole('combobox', { name: 'Search emoji' }).inputValue(), 'party');
  assert.deepEqual(await violationsIn(page, { within: '.emoji-picker' }), []);
  await chosen.waitFor();
  const first = await chosen.textContent();
  await page.keyboard.press('ArrowRight');
  const second = await chosen.textContent();
  assert.notEqual(first, second);
  // With Shift, the picker stays open.
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.press('ArrowLeft');
  // The composer is focused before the next key press, so Enter sends.
  const afterChoice = await page.evaluate<string>(`new Promise((done) => {
      document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
      queueMicrotask(() => done(document.activeElement.className));
    })`);
  assert.equal(afterChoice, 'composer-field');
  await page.getByRole('dialog', { name: 'Emoji' }).waitFor({ state: 'detached' });
  assert.equal(await fieldOf(page).inputValue(), `so ${second}${first}`);
  assert.equal(await page.evaluate('document.activeElement.className'), 'composer-field');
  scene.client.assertSound();
});

test("the emoji picker follows the page's language", async () => {
  const page = await scene.window(scene.ada, scene.other, { locale: 'de' });
  await page.getByRole('button', { name: 'Emoji' }).click();
  await page.getByRole('combobox').last().fill('rakete');
  await page.getByRole('gridcell', { name: 'Rakete', exact: true }).click();
  assert.equal(await fieldOf(page).inputValue(), '🚀');
  scene.client.assertSound();
});

test('the emoji picker remembers frequent emoji and the skin tone', async () => {
  const page = await scene.window(scene.ada, scene.other);
  const open = () => page.getByRole('button', { name: 'Emoji' }).click();
  await open();
  await page
    .locator('.emoji-tone', { has: page.getByRole('radio', { name: 'Medium', exact: true }) })
    .click();
  await page.getByRole('combobox', { name: 'Search emoji' }).fill('waving hand');
  await page.getByRole('gridcell', { name: 'waving hand' }).click();
  assert.equal(await fieldOf(page).inputValue(), '👋🏽');
  await page.reload();
  await fieldOf(page).waitFor();
  await open();
  const often = page.getByRole('rowgroup', { name: 'Frequently used' }).getByRole('gridcell');
  assert.equal(await often.first().getAttribute('aria-label'), 'waving hand');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog', { name: 'Emoji' }).waitFor({ state: 'detached' });
  // Every group is listed, and the buttons at the top scroll to it.
  await open();
  await page.getByRole('button', { name: 'Flags' }).click();
  await page.getByRole('gridcell', { name: 'flag: Ireland' }).waitFor();
  await page.getByRole('combobox', { name: 'Search emoji' }).fill('no such thing');
  await page.getByText('No emoji found.').waitFor();
  assert.deepEqual(await violationsIn(page, { within: '.emoji-picker' }), []);
});
