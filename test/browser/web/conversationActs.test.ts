import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { violationsIn, violationsInThemes } from '../../support/axe.ts';
import { after, before, test } from '../../support/browser.ts';
import {
  deleteByKeyboard,
  editByKeyboard,
  focusedMessage,
  restingTop,
  rowOf,
  Talk,
  topOf,
} from '../../support/conversation.ts';
import { until } from '../../support/process.ts';

let talk: Talk;
before(async () => {
  talk = await Talk.open();
});
after(async () => {
  await talk?.client.close();
});

test('with the keyboard alone, a message can be reacted to, edited, pinned, replied to, opened as a thread and deleted', async () => {
  const there = await Talk.open(talk.client);
  await there.say('ben', 'first');
  const own = await there.say('ada', 'of my own');
  await there.readAll('ada');
  const page = await there.look('ada');
  const other = await there.look('ben');
  const focused = () => focusedMessage(page);

  // The list is a single tab stop, before the composer.
  await page.locator('#main textarea').last().focus();
  for (let press = 0; press < 12 && (await focused()) === undefined; press++)
    await page.keyboard.press('Shift+Tab');
  assert.equal(await focused(), own.id);
  await page.keyboard.press('ArrowUp');
  assert.notEqual(await focused(), own.id);
  await page.keyboard.press('ArrowDown');
  assert.equal(await focused(), own.id);

  // Enter moves into the message, and Escape leaves it.
  await page.keyboard.press('Enter');
  assert.match(await page.evaluate<string>('document.activeElement.ariaLabel'), /^React with/);
  await page.keyboard.press('Enter');
  await rowOf(page, own).locator('.reaction-mine').waitFor();
  await rowOf(other, own).locator('.reaction', { hasText: '1' }).waitFor();
  await page.keyboard.press('Escape');
  assert.equal(await focused(), own.id);

  await editByKeyboard(page, own);
  await rowOf(other, own).getByText('of my own, changed').waitFor();
  await rowOf(page, own).getByText('(edited)').waitFor();

  await rowOf(page, own).focus();
  await page.keyboard.press('p');
  await rowOf(page, own).getByText('Pinned').waitFor({ state: 'attached' });
  await page.keyboard.press('p');
  await rowOf(page, own).getByText('Pinned').waitFor({ state: 'detached' });

  // The composer is focused before the next key press, which would otherwise act as a shortcut on the message.
  const afterReply = await page.evaluate<string>(`new Promise((done) => {
      document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'r', bubbles: true, cancelable: true }));
      queueMicrotask(() => done(document.activeElement.localName));
    })`);
  assert.equal(afterReply, 'textarea');
  await page.keyboard.type('an answer');
  await page.keyboard.press('Enter');
  await other.locator('a.message-glimpse', { hasText: 'of my own, changed' }).waitFor();
  await other.getByText('an answer', { exact: true }).waitFor();

  await deleteByKeyboard(page, own);
  await rowOf(other, own).waitFor({ state: 'detached' });
  await other.getByText('The original message was deleted').waitFor();

  await page.locator('[data-message]').first().focus();
  await page.keyboard.press('t');
  await page.waitForURL(/thread=/);
});

test("a message's edit history opens from its menu, with times", async () => {
  const there = await Talk.open(talk.client);
  const said = await there.say('ada', 'the first wording');
  for (const content of ['the second wording', 'the **last** wording'])
    assert.equal((await there.as.ada.patch(`/messages/${said.id}`, { content })).status, 200);
  const openMenu = async (page: Page) => {
    await rowOf(page, said).hover();
    await rowOf(page, said).getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Copy text' }).waitFor();
  };
  const others = await there.look('ben');
  await openMenu(others);
  assert.equal(await others.getByRole('menuitem', { name: 'View edit history' }).count(), 0);
  const page = await there.look('ada');
  await openMenu(page);
  await page.getByRole('menuitem', { name: 'View edit history' }).click();
  const dialog = page.getByRole('dialog', { name: 'View edit history' });
  await dialog.getByText('the first wording').waitFor();
  const versions = await dialog.getByRole('listitem').allInnerTexts();
  assert.deepEqual(
    versions.map((text) => /the \w+ wording/.exec(text)?.[0]),
    ['the last wording', 'the second wording', 'the first wording'],
  );
  for (const text of versions) assert.match(text, /Ada Lovelace/);
  await dialog.getByText('current').waitFor();
  assert.deepEqual(await violationsIn(page), []);
  // A new edit appears in the open dialog.
  assert.equal((await there.as.ada.patch(`/messages/${said.id}`, { content: 'once more' })).status, 200);
  await dialog.getByText('once more').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });

  // Opening another dialog from the menu moves the pointer off the row.
  assert.equal((await there.as.ada.post('/reactions', { messageId: said.id, emoji: '🎉' })).status, 200);
  await rowOf(page, said).getByRole('button', { name: /^🎉/ }).waitFor();
  await rowOf(page, said).hover();
  await rowOf(page, said).getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'View reactions' }).click();
  await page.getByRole('dialog').getByText('Ada Lovelace').waitFor();
});

test('a reaction shows immediately, counts once, is reverted when rejected, and shows who reacted', async () => {
  const there = await Talk.open(talk.client);
  const said = await there.say('ada', 'react to me');
  await there.as.ada.post('/reactions', { messageId: said.id, emoji: '🎉' });
  const page = await there.look('ben');
  await page.route('**/api/v1/reactions', (route) => setTimeout(() => route.continue(), 600));
  const chip = rowOf(page, said).getByRole('button', { name: /^🎉/ });
  await chip.click();
  assert.match(await chip.innerText(), /2/);
  assert.equal(await chip.getAttribute('aria-pressed'), 'true');
  await page.waitForTimeout(1200);
  assert.match(await chip.innerText(), /2/);
  await chip.click();
  await page.waitForTimeout(600);
  assert.match(await chip.innerText(), /1/);
  await page.mouse.move(0, 0);
  await chip.hover();
  await page.locator('#tooltip', { hasText: 'Ada Lovelace' }).waitFor();

  await page.unroute('**/api/v1/reactions');
  await page.route('**/api/v1/reactions', (route) =>
    route.fulfill({ status: 403, json: { ok: false, error: { code: 'FORBIDDEN', message: 'not today' } } }),
  );
  await chip.click();
  await page.getByText('not today').first().waitFor();
  assert.match(await chip.innerText(), /1/);
});

test('a rejected edit keeps its text, and an empty edit asks whether to delete the message', async () => {
  const there = await Talk.open(talk.client);
  for (let at = 0; at < 20; at++) await there.say('ben', 'above '.repeat(150));
  const said = await there.say('ada', 'before');
  await there.readAll('ada');
  const page = await there.look('ada');
  await rowOf(page, said).hover();
  await rowOf(page, said).getByRole('button', { name: 'Edit', exact: true }).click();
  const field = page.getByLabel('Edit message');
  await field.waitFor();
  const bottoms = await page.evaluate<number[]>(
    `['.message-edit-foot', '.timeline-scroller'].map((of) => document.querySelector(of).getBoundingClientRect().bottom)`,
  );
  assert.ok((bottoms[0] ?? 0) <= (bottoms[1] ?? 0), `its buttons are in view: ${bottoms}`);
  await page.route(`**/messages/${said.id}`, (route) =>
    route.fulfill({
      status: 403,
      json: { ok: false, error: { code: 'FORBIDDEN', message: 'the harbour is shut' } },
    }),
  );
  await field.fill('after');
  await field.press('Enter');
  await page.getByText('the harbour is shut').waitFor();
  assert.equal(await field.inputValue(), 'after');
  await page.unroute(`**/messages/${said.id}`);
  await field.fill('');
  await field.press('Enter');
  await page.getByRole('dialog', { name: 'Delete message?' }).waitFor();
  await page.keyboard.press('Escape');
  assert.equal(await field.inputValue(), '');
});

test('a quote goes to the composer, and an unfinished edit survives a reload', async () => {
  const there = await Talk.open(talk.client);
  await there.say('ben', 'one\ntwo');
  const own = await there.say('ada', '    indented');
  await there.readAll('ada');
  const page = await there.look('ada');
  const composer = page.locator('.composer-field');
  await composer.fill('I read:');
  await page.locator('[data-message]').first().focus();
  await page.keyboard.press('q');
  await until(async () => (await composer.inputValue()) === 'I read:\n> one\n> two\n\n');
  assert.equal(await page.evaluate('document.activeElement.className'), 'composer-field');
  await composer.fill('');

  await rowOf(page, own).focus();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('e');
  await page.keyboard.type(' and begun');
  await page.reload();
  const field = page.getByLabel('Edit message');
  await field.waitFor();
  assert.equal(await field.inputValue(), '    indented and begun');
  // The text field for edits autocompletes names, too. Enter selects the name and does not save.
  await page.keyboard.type(' @be');
  await page.getByRole('option', { name: 'Ben Okri' }).waitFor();
  await page.keyboard.press('Enter');
  assert.equal(await field.inputValue(), `    indented and begun @${there.ben.username} `);
  await field.press('Enter');
  await field.waitFor({ state: 'detached' });
  // Leading spaces mark code, so they are kept.
  await rowOf(page, own).locator('pre', { hasText: 'indented and begun' }).waitFor();
  await page.close();
});

test('arrow up and a link reach a message that is not rendered, from the end of a long list', async () => {
  const there = await Talk.open(talk.client);
  const goal = await there.say('ben', 'long ago');
  await there.say('ada', 'of my own');
  for (let said = 0; said < 208; said++) await there.say('ben', `later ${said}`);
  const link = await there.say('ben', `${talk.client.url}${there.path(goal.id)}`);
  await there.readAll('ada');
  const page = await there.look('ada');
  page.setDefaultTimeout(15_000);
  const toTop = () => page.evaluate(`document.querySelector('.timeline-scroller').scrollTop = 0`);
  await until(async () => {
    await toTop();
    return (await rowOf(page, goal).count()) > 0;
  });
  await page.getByRole('button', { name: 'Jump to latest' }).click();
  await rowOf(page, link).waitFor();
  await rowOf(page, goal).waitFor({ state: 'detached' });
  await page.locator('.composer-field').focus();
  await page.keyboard.press('ArrowUp');
  await page.getByLabel('Edit message').waitFor();
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Jump to latest' }).click();
  await rowOf(page, goal).waitFor({ state: 'detached' });
  await rowOf(page, link).getByRole('link').first().click();
  await page.locator(`[data-message="${goal.id}"].message-marked`).waitFor();
  await page.close();
});

test('a forbidden action is listed but disabled, with the reason', async () => {
  const there = await Talk.open(talk.client);
  await there.say('ada', 'long\n'.repeat(40));
  const said = await there.say('ada', 'not yours');
  await there.readAll('ben');
  const page = await there.look('ben');
  await rowOf(page, said).hover();
  await rowOf(page, said).getByRole('button', { name: 'More actions' }).click();
  const menu = page.getByRole('menu', { name: 'More actions' });
  // Hovering waits for the opening animation to end.
  await menu.getByRole('menuitem', { name: /^Reply/ }).hover();
  // The next message moves the row, but not the menu under the pointer.
  const [before, top] = [await menu.boundingBox(), await topOf(page, said.id)];
  await rowOf(page, await there.say('bot', 'meanwhile')).waitFor();
  assert.ok(((await restingTop(page, said.id)) ?? 0) < (top ?? 0));
  assert.deepEqual(await menu.boundingBox(), before);
  const remove = menu.getByRole('menuitem', { name: /^Delete/ });
  assert.equal(await remove.getAttribute('aria-disabled'), 'true');
  assert.match(await remove.innerText(), /lack|may not/);
  assert.notEqual(await menu.getByRole('menuitem', { name: /^Reply/ }).getAttribute('aria-disabled'), 'true');
});

test('the conversation has no axe violations in either theme while it is used', async () => {
  const there = await Talk.open(talk.client);
  const first = await there.say(
    'ben',
    `**Words**, \`code\`, [a link](https://a.example) and @${there.ada.username}`,
  );
  await there.as.ada.post('/reactions', { messageId: first.id, emoji: '🎉' });
  const last = await there.say('bot', '```js\nlet a = 1; // x\n```\n\n| a | b |\n|--|--|\n| 1 | 2 |', {
    replyToId: first.id,
  });
  const said = await there.say('ada', 'mine');
  const page = await there.look('ada');
  await rowOf(page, last).locator('.hljs-keyword').waitFor();
  await rowOf(page, last).hover();
  assert.deepEqual(await violationsInThemes(page, '.timeline'), []);
  await rowOf(page, said).focus();
  await page.keyboard.press('e');
  assert.deepEqual(await violationsInThemes(page, '.timeline'), [], 'while editing');
  await page.keyboard.press('Escape');
  await page.locator('[data-day]').first().click();
  await page.getByRole('grid').waitFor();
  assert.deepEqual(await violationsInThemes(page, '.timeline'), [], 'with the calendar');
});
