import assert from 'node:assert/strict';

import type { Page } from 'playwright-core';
import { after, before, test } from '../../support/browser.ts';
import { fieldOf } from '../../support/composing.ts';
import { rowOf, Talk } from '../../support/conversation.ts';
import { dataOf } from '../../support/expect.ts';
import { until } from '../../support/process.ts';

/**
 * The number of messages before and during the test: together more than the list keeps at its end, so it removes the
 * earliest rows.
 */
const BEFORE = 90;
const MEANWHILE = 75;

let talk: Talk;
before(async () => {
  talk = await Talk.open();
  for (let count = 0; count < BEFORE; count++) await talk.say('ben', `before ${count}`);
  await talk.readAll('ada');
});
after(() => talk?.client.close());

/** Opens the page at the end of the channel and tags each row, which reveals rows that are rendered again. */
const window = async (): Promise<Page> => {
  await talk.readAll('ada');
  const page = await talk.look('ada');
  await fieldOf(page).waitFor();
  await page.evaluate(`
      for (const row of document.querySelectorAll('[data-message]')) row.made = row.dataset.message;
      globalThis.rows = new Set();
      globalThis.remade = [];
      const look = () => {
        for (const row of document.querySelectorAll('[data-message]')) {
          const { message } = row.dataset;
          if (row.made === undefined && rows.has(message)) remade.push(message);
          row.made = message;
          rows.add(message);
        }
      };
      look();
      new MutationObserver(look).observe(document.querySelector('.timeline-content'), { subtree: true, childList: true });
    `);
  return page;
};
const stream = async (count: number) => {
  for (let each = 0; each < count; each++) await talk.say('ben', `meanwhile ${each}`);
};
const rowsOf = (page: Page) => page.locator('[data-message]').count();
const remade = (page: Page) => page.evaluate<string[]>('remade');

test('every key press reaches the focused composer, and no row is rendered twice', async () => {
  const page = await window();
  await fieldOf(page).click();
  const first = await page.locator('[data-message]').first().getAttribute('data-message');
  let typed = '';
  for (let each = 0; each < MEANWHILE; each += 3) {
    const coming = stream(3);
    for (const key of 'fox ') {
      await page.keyboard.type(key);
      typed += key;
      assert.equal(await page.evaluate('document.activeElement?.localName'), 'textarea');
    }
    await coming;
  }
  const last = await talk.say('ben', 'the last of them');
  await rowOf(page, last).waitFor();
  assert.equal(await fieldOf(page).inputValue(), typed);
  // The earliest rows have been removed.
  await rowOf(page, { id: first as string }).waitFor({ state: 'detached' });
  assert.ok((await rowsOf(page)) <= 155, `${await rowsOf(page)} rows`);
  assert.deepEqual(await remade(page), []);
  await fieldOf(page).fill('');
});

test('the edit field, menu and focus of a message survive incoming messages', async () => {
  const own = await talk.say('ada', 'of my own');
  const page = await window();
  await rowOf(page, own).focus();
  await page.keyboard.press('e');
  const field = page.getByLabel('Edit message');
  await field.waitFor();
  const coming = stream(25);
  const words = ', changed while others write';
  for (const key of words) {
    await page.keyboard.type(key);
    await page.waitForTimeout(20);
  }
  assert.equal(await field.inputValue(), `of my own${words}`);
  await coming;
  await page.keyboard.press('Enter');
  await rowOf(page, own).getByText(`of my own${words}`).waitFor();
  await field.waitFor({ state: 'detached' });
  assert.equal(await page.evaluate('document.activeElement.dataset.message'), own.id);

  await rowOf(page, own).getByRole('button', { name: 'More actions' }).click();
  const menu = page.getByRole('menu', { name: 'More actions' });
  await menu.waitFor();
  await page.keyboard.press('ArrowDown');
  const chosen = await page.evaluate('document.activeElement.textContent');
  await stream(20);
  await rowOf(page, await talk.say('ben', 'the last beside the menu')).waitFor();
  assert.equal(await page.evaluate('document.activeElement.textContent'), chosen);
  await page.keyboard.press('Escape');
  await menu.waitFor({ state: 'detached' });
  assert.deepEqual(await remade(page), []);

  // When somebody else deletes the message being edited, a notice offers its text.
  await rowOf(page, own).focus();
  await page.keyboard.press('e');
  await page.keyboard.type(', and lost');
  dataOf(await talk.as.ada.delete(`/messages/${own.id}`));
  await page.getByText('The message you were editing was deleted.').first().waitFor();
  await page.getByRole('button', { name: 'Send as new message' }).click();
  await field.waitFor({ state: 'detached' });
  assert.equal(await fieldOf(page).inputValue(), `of my own${words}, and lost`);
  await fieldOf(page).fill('');
});

test('the actions stay at the message that the mouse moved to, even when other messages scroll under it', async () => {
  const page = await window();
  const tools = page.locator('.message-actions');
  const pointed = await talk.say('ben', 'pointed at');
  for (const text of ['next', 'last']) await rowOf(page, await talk.say('ben', text)).waitFor();
  await rowOf(page, pointed).hover();
  await tools.waitFor();
  const messages = [];
  for (let each = 0; each < 4; each++) {
    const message = await talk.say('ben', `under the mouse ${each}`);
    messages.push(message);
    await rowOf(page, message).waitFor();
    // The browser reports with a delay which element is now under the mouse.
    await page.waitForTimeout(200);
    const shown = await page.evaluate<string[]>(
      "[...document.querySelectorAll('.message-actions')].map((one) => one.closest('[data-message]').dataset.message)",
    );
    assert.ok(
      shown.every((id) => id === pointed.id),
      `${shown}, not ${pointed.id}`,
    );
  }
  await rowOf(page, messages[1]).hover();
  await rowOf(page, messages[1]).locator('.message-actions').waitFor();
  await page.context().close();
});

test('earlier messages are added above without rendering the existing rows again', async () => {
  const page = await window();
  const last = page.locator('[data-message]').last();
  await last.focus();
  const id = await last.getAttribute('data-message');
  const before = await rowsOf(page);
  await until(async () => {
    await page.evaluate(`document.querySelector('.timeline-scroller').scrollTop = 0`);
    return (await rowsOf(page)) > before;
  });
  assert.equal(await page.evaluate('document.activeElement.dataset.message'), id);
  assert.deepEqual(await remade(page), []);
});

test('hovering a channel loads its messages, and opening it then needs no request', async () => {
  const hovered = dataOf(await talk.as.ada.post('/channels', { serverId: talk.server.id, name: 'hovered' }));
  await talk.say('ada', 'known before', { channelId: hovered.id });
  const page = await talk.look('ada');
  const row = page.locator('.channel-row', { hasText: 'hovered' });
  await row.waitFor();
  const views = () =>
    talk.client.surfer.requests.filter((address) => address.includes(`/channels/${hovered.id}/view`)).length;
  assert.equal(views(), 0);
  const loaded = page.waitForResponse((response) => response.url().includes(`/channels/${hovered.id}/view`));
  await row.hover();
  await (await loaded).finished();
  await row.click();
  await page.getByText('known before').waitFor();
  assert.equal(views(), 1);
  await page.context().close();
});

test('the end of the list stays in view if the list grows in the same frame in which it scrolls to its end', async () => {
  await talk.readAll('ada');
  const page = await talk.look('ada');
  await fieldOf(page).waitFor();
  await page.locator('[data-message]').first().waitFor();
  const below = await page.evaluate<number>(`(async () => {
    const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    const box = document.querySelector('main .timeline-scroller');
    box.scrollTop = box.scrollHeight;
    await frame();
    box.scrollTop -= 15;
    await frame();
    await frame();
    const row = [...document.querySelectorAll('main [data-message]')].at(-3);
    box.addEventListener('scroll', () => { row.style.minHeight = '400px'; }, { once: true });
    box.scrollTop += 15;
    for (let at = 0; at < 4; at++) await frame();
    return box.scrollHeight - box.scrollTop - box.clientHeight;
  })()`);
  assert.ok(below < 5, `${below} px below the viewport`);
  await page.context().close();
});
