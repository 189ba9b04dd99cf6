import assert from 'node:assert/strict';

import type { Locator, Page } from 'playwright-core';
import { violationsIn } from '../../support/axe.ts';
import { after, before, beforeEach, Surfer, test } from '../../support/browser.ts';
import { buildGallery } from '../../support/gallery/build.ts';

let surfer: Surfer;
let open: (page: Page) => Promise<void>;
let page: Page;
before(async () => {
  [surfer, open] = await Promise.all([Surfer.open(), buildGallery()]);
});
after(() => surfer?.close());
beforeEach(async () => {
  if (page === undefined || page.isClosed()) page = await surfer.page();
  await open(page);
});

const button = (name: string) => page.getByRole('button', { name, exact: true });
const isFocused = async (control: Locator) =>
  (await control.getAttribute('id')) === (await page.evaluate('document.activeElement.id'));
const focused = () =>
  page.evaluate<string>('(document.activeElement.ariaLabel ?? document.activeElement.textContent).trim()');

for (const theme of ['light', 'dark'])
  test(`the components are accessible: ${theme}`, async () => {
    const coloursAlone = theme === 'dark';
    await page.getByText(theme, { exact: true }).first().click();
    assert.deepEqual(await violationsIn(page, { coloursAlone }), []);
    await button('Dialog').click();
    await button('Create server').click();
    assert.deepEqual(await violationsIn(page, { coloursAlone }), []);
    await page.keyboard.press('Escape');
    await button('Bad toast').click();
    await button('Toast').click();
    await button('Menu').click();
    assert.deepEqual(await violationsIn(page, { coloursAlone }), []);
    assert.deepEqual(surfer.complaints, []);
  });

test('a dialog traps the focus and returns it', async () => {
  const opener = button('Dialog');
  for (const close of ['Escape', 'outside', 'Close'] as const) {
    await opener.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Create a server' });
    await dialog.waitFor();
    assert.equal(await isFocused(page.getByLabel('Name', { exact: true }).last()), true);
    for (let press = 0; press < 9; press++) await page.keyboard.press('Tab');
    assert.equal(
      await page.evaluate(
        'document.activeElement === document.body || !!document.activeElement.closest("dialog")',
      ),
      true,
    );
    if (close === 'Escape') await page.keyboard.press('Escape');
    else if (close === 'outside') await page.mouse.click(5, 300);
    else await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.equal(await focused(), 'Dialog');
  }
});

test('a dialog that replaces another stays open', async () => {
  await button('Two dialogs').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Create', exact: true }).click();
  const second = page.getByRole('dialog', { name: 'The key that was made' });
  await second.waitFor();
  // The close event of the first dialog fires in a later task.
  await page.evaluate('new Promise((done) => setTimeout(done, 100))');
  assert.equal(await page.locator('dialog:modal').count(), 1);
  await page.keyboard.press('Escape');
  await second.waitFor({ state: 'detached' });
  assert.equal(await focused(), 'Two dialogs');
});

test('a menu supports arrow keys, typeahead and Escape, and its own button closes it', async () => {
  await button('Menu').focus();
  await page.keyboard.press('ArrowDown');
  assert.match(await focused(), /^Reply/);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  // Disabled items are skipped.
  assert.equal(await focused(), 'Show previews');
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowUp');
  assert.match(await focused(), /^Delete/);
  await page.keyboard.press('p');
  assert.equal(await focused(), 'Pin');
  await page.keyboard.press('Escape');
  assert.equal(await page.getByRole('menu').count(), 0);
  assert.equal(await focused(), 'Menu');

  await button('Menu').click();
  await page.getByRole('menu').waitFor();
  await button('Menu').click();
  await page.getByRole('menu').waitFor({ state: 'detached' });
  await button('Menu').click();
  await page.getByRole('menuitem', { name: 'Pin' }).click();
  await page.getByText('Pinned').first().waitFor();
  assert.equal(await focused(), 'Menu');
});

test('a dangerous menu item asks for confirmation and acts only after the name is typed', async () => {
  await button('Menu').click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await button('Delete channel').click();
  await page.getByText('Fill in this field.').waitFor();
  const field = page.getByLabel('Type general to confirm');
  await field.fill('generic');
  await button('Delete channel').click();
  await page.getByText('Type exactly: general').waitFor();
  await field.fill('general');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('region', { name: 'Notifications' }).getByText('#general is deleted').waitFor();
  assert.equal(await focused(), 'Menu');
});

test('a popover stays in place and usable when its anchor moves or is removed', async () => {
  await button('Popover').click();
  const done = page.getByRole('dialog', { name: 'Details' }).getByRole('button', { name: 'Done' });
  // Hovering waits for the opening animation to end.
  await done.hover();
  const before = await done.boundingBox();
  const top = async () => (await button('Popover').boundingBox())?.y;
  const there = await top();
  for (const act of [
    'scrollBy(0, -60)',
    `[...document.querySelectorAll('button')].find((one) => one.textContent === 'Popover').remove()`,
  ]) {
    await page.evaluate(act);
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
    assert.deepEqual(await done.boundingBox(), before, act);
    if (act.startsWith('scroll')) assert.notEqual(await top(), there);
  }
  await done.click();
  await done.waitFor({ state: 'detached' });
});

test('tabs support arrow keys, including right to left', async () => {
  await page.getByRole('tab', { name: 'Members' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.getByText('No bans').waitFor();
  await page.keyboard.press('End');
  assert.equal(await page.getByRole('tab', { name: 'Loading' }).getAttribute('aria-selected'), 'true');
  await page.keyboard.press('ArrowRight');
  assert.equal(await page.getByRole('tab', { name: 'Members' }).getAttribute('aria-selected'), 'true');
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate('document.activeElement.role'), 'tabpanel');
  await page.evaluate('document.documentElement.dir = "rtl"');
  await page.getByRole('tab', { name: 'Members' }).focus();
  await page.keyboard.press('ArrowLeft');
  await page.getByText('No bans').waitFor();
});

test('a list is a single tab stop, at the current item', async () => {
  await page.getByRole('tabpanel').focus();
  const items = page.getByRole('list', { name: 'Channels' });
  assert.equal(await items.locator('[tabindex="0"]').count(), 1);
  await items.getByRole('button', { name: 'general' }).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('a');
  assert.equal(await focused(), 'a-channel-with-a-name-that-is-far-too-long-for-its-place');
  await page.keyboard.press('a');
  assert.equal(await focused(), 'announcements');
  await page.keyboard.press('Tab');
  assert.equal(await focused(), 'Try again');
});

test('a select can be operated with the keyboard, and its form sends the selected value', async () => {
  const form = page.getByRole('form', { name: 'Create a channel' });
  const kind = form.getByLabel('Kind');
  await kind.focus();
  await page.keyboard.press('ArrowDown');
  assert.equal(await kind.inputValue(), 'announcement');
});

test('a form shows each error at its field, keeps the input, and clears the error on the next key press', async () => {
  const form = page.getByRole('form', { name: 'Create a channel' });
  const name = form.getByLabel('Name');
  await button('Create channel').click();
  await form.getByText('Fill in this field.').waitFor();
  assert.equal(await isFocused(name), true);
  await name.pressSequentially('g');
  assert.equal(await form.getByText('Fill in this field.').count(), 0);
  await name.pressSequentially('eneral');
  await page.keyboard.press('Enter');
  await form.getByText('A channel has this name already.').waitFor();
  assert.equal(await name.inputValue(), 'general');
  assert.equal(await name.getAttribute('aria-invalid'), 'true');
  await name.fill('forbidden');
  await button('Create channel').click();
  await form.getByRole('alert').getByText('You may not create channels here.').waitFor();
  assert.equal(await page.evaluate('document.activeElement.role'), 'alert');
  await form.getByLabel('Topic').fill('x'.repeat(51));
  await form.getByText('1 character over the limit').waitFor();
  await button('Create channel').click();
  await form.getByText('Enter at most 50 characters.').waitFor();
});

test('no toast is lost when there are many', async () => {
  await button('Five toasts').click();
  const region = page.getByRole('region', { name: 'Notifications' });
  assert.equal(await region.getByRole('listitem').count(), 3);
  for (const each of [1, 2, 3, 4, 5]) {
    await region
      .getByRole('listitem')
      .filter({ hasText: `News ${each}` })
      .getByRole('button', { name: 'Dismiss' })
      .click();
  }
  assert.equal(await region.getByRole('listitem').count(), 0);
});

test('a tooltip appears on focus and hides on Escape', async () => {
  await button('Reply').focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Shift+Tab');
  const tip = page.locator('#tooltip');
  await tip.waitFor({ state: 'visible' });
  assert.equal(await tip.textContent(), 'Reply');
  await page.keyboard.press('Escape');
  await tip.waitFor({ state: 'hidden' });
  await button('Cancel').first().hover();
  await page.getByText('Tooltip', { exact: true }).hover();
  await tip.waitFor({ state: 'visible' });
  assert.equal(await tip.textContent(), 'Shown by hover and focus');
});

test('a component that throws leaves the rest of the page usable and can be retried', async () => {
  await button('Break').click();
  await page.getByText('This part of the page failed to load.').waitFor();
  await page.getByRole('heading', { name: 'Palaver' }).waitFor();
  await page.getByRole('alert').getByRole('button', { name: 'Try again' }).last().click();
  surfer.complaints.length = 0;
});

test('copying works without the clipboard API, which only secure contexts have', async () => {
  assert.equal(await page.evaluate('navigator.clipboard === undefined'), true);
  await button('Copy').click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  await page.getByLabel('Search').focus();
  await page.keyboard.press('Control+V');
  assert.equal(await page.getByLabel('Search').inputValue(), 'npx palaver start --port 8080');
});

test('touch targets are at least 40 px', async () => {
  await page.context().close();
  page = await surfer.page({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 800 } });
  await open(page);
  const small: string[] =
    await page.evaluate(`[...document.querySelectorAll('button, select, .text-field, .check-label, .choice-option')]
      .filter((each) => each.checkVisibility())
      .map((each) => [each.ariaLabel || each.textContent || each.className, each.getBoundingClientRect()])
      .filter(([, { width, height }]) => Math.min(width, height) < 40)
      .map(([name, { width, height }]) => name + ' ' + width + ' x ' + height)`);
  assert.deepEqual(small, []);
  assert.equal(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), false);
});
