// @run sqlite, chromium: tests the client, which does not depend on the engine; the headless shell lacks offline storage
import assert from 'node:assert/strict';

import type { Page } from 'playwright-core';
import { PASSWORD } from '../../support/account.ts';
import { after, before, test } from '../../support/browser.ts';
import { fieldIn, Journey, messageIn, pressUntil, say, seen, showsOnce } from '../../support/journey.ts';
import { photo } from '../../support/pictures.ts';
import { until } from '../../support/process.ts';

/** A server from its first start. Each test continues where the previous test ended. */
let journey: Journey;
let ada: Page;
let ben: Page;
/** The path of the channel. */
let place: string;
before(async () => {
  journey = await Journey.open();
});
after(() => journey?.close());

const choose = async (page: Page, menu: string, item: string) => {
  await page.getByRole('button', { name: menu }).click();
  await page.getByRole('menuitem', { name: item }).click();
};
const settings = async (section: string) => {
  await ada.goto(`${place.split('/c/')[0]}/settings/${section}`);
  await ada.locator('.setting-title').waitFor();
};

test('the first start link creates the account, and the person creates a server', async () => {
  ada = await journey.browser(journey.firstLink);
  await ada.getByLabel('New password').fill(PASSWORD);
  await ada.keyboard.press('Enter');
  await fieldIn(ada).waitFor();
  assert.doesNotMatch(ada.url(), /link_plv/);
  await ada.getByRole('button', { name: 'Create server' }).click();
  await ada.getByLabel('Server name').fill('Harbour');
  await ada.keyboard.press('Enter');
  await ada.getByRole('heading', { name: 'general', level: 1 }).waitFor();
  await ada.getByRole('button', { name: /^Harbour/ }).waitFor();
  place = new URL(ada.url()).pathname;
  await until(async () => (await ada.title()) === 'general · Palaver');
});

test('an invited person signs up and becomes a member', async () => {
  await choose(ada, 'Harbour, 1 member: server menu', 'Invite people');
  await ada.getByRole('dialog').getByRole('button', { name: 'Create link' }).click();
  const link = (await ada.getByRole('dialog').locator('.copy-text').textContent()) ?? '';
  await ada.keyboard.press('Escape');
  ben = await journey.browser(link);
  await ben.getByRole('heading', { name: 'Join Harbour' }).waitFor();
  await ben.getByLabel('Username').fill('ben');
  await ben.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await ben.keyboard.press('Enter');
  await ben.getByRole('heading', { name: 'general', level: 1 }).waitFor();
});

test('two people talk: live messages, replies, threads, pins, reactions, an image, and search', async () => {
  await say(ada, 'Who has the key?');
  await seen('Who has the key?', ada, ben);
  await say(ben, 'Done');
  await seen('Done', ada, ben);

  await messageIn(ben, 'Who has the key?').focus();
  await ben.keyboard.press('r');
  await ben.locator('main .composer-field:focus').waitFor();
  await ben.keyboard.type('The key of the boat?');
  await ben.keyboard.press('Enter');
  await messageIn(ada, 'The key of the boat?').locator('.message-glimpse').waitFor();

  await messageIn(ada, 'Done').focus();
  await ada.keyboard.press('p');
  await messageIn(ben, 'Done').getByText('Pinned').waitFor({ state: 'attached' });
  await ada.keyboard.press('Enter');
  await ada.keyboard.press('Enter');
  await messageIn(ben, 'Done').locator('.reaction', { hasText: '1' }).waitFor();

  await messageIn(ben, 'Done').focus();
  await ben.keyboard.press('t');
  const reply = ben.locator('.side-panel .composer-field');
  await reply.fill('It hangs by the door');
  await reply.press('Enter');
  await messageIn(ada, 'Done').getByText('1 reply').click();
  await ada.locator('.side-panel').getByText('It hangs by the door').waitFor();
  await ada.keyboard.press('Escape');

  const file = { name: 'door.jpg', mimeType: 'image/jpeg', buffer: await photo().jpeg().toBuffer() };
  await ben.locator('main input[type=file]').setInputFiles(file);
  await say(ben, 'This door');
  await messageIn(ada, 'This door').locator('img').last().waitFor();

  await ada.keyboard.press('Control+f');
  await ada.keyboard.type('boat');
  await ada.keyboard.press('Enter');
  await ada.locator('.side-panel mark', { hasText: 'boat' }).waitFor();
  await ada.getByRole('button', { name: 'Search', exact: true }).click();
});

test('an API key from the settings posts messages until it is revoked', async () => {
  await settings('keys');
  await ada.getByRole('button', { name: 'New API key' }).first().click();
  await ada.getByLabel('Name').fill('Tide');
  await ada.getByRole('dialog').getByRole('button', { name: 'New API key' }).click();
  const key = await ada.getByRole('dialog').locator('.copy-text').first().textContent();
  const post = () =>
    fetch(`${journey.url}/api/v1/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ channelId: place.split('/').at(-1), content: 'High tide at noon' }),
    });
  assert.equal((await post()).status, 200);
  await messageIn(ben, 'High tide at noon').getByText('Agent').waitFor();
  await ada.getByRole('button', { name: "I've saved it" }).click();
  await choose(ada, 'Actions for Tide', 'Revoke');
  await ada.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await ada.locator('.setting-row').filter({ hasText: 'Tide' }).waitFor({ state: 'detached' });
  assert.equal((await post()).status, 401);
});

test('a permission is granted and removed live', async () => {
  const make = ben.getByRole('button', { name: 'Create channel' });
  assert.equal(await make.count(), 0);
  await settings('roles');
  const flag = ada.getByRole('switch', { name: /^Manage channels for (Member|Everyone)/ });
  await flag.click();
  await make.waitFor();
  await flag.click();
  await make.waitFor({ state: 'detached' });
});

test('messages written offline are sent on reconnect, and both sides have all of them', async () => {
  await ada.goto(place);
  await seen('This door', ada, ben);
  await ben.context().setOffline(true);
  await say(ben, 'ben, from the sea');
  await say(ada, 'ada, from the land');
  await ben.getByText("You're offline").waitFor();
  // The conversation also shows a message that has not been sent yet.
  await ben.locator('main .timeline').getByText('ben, from the sea').waitFor();
  assert.equal(await messageIn(ada, 'ben, from the sea').count(), 0);
  await ben.context().setOffline(false);
  for (const page of [ada, ben]) await showsOnce(page, ['ada, from the land', 'ben, from the sea']);
  await ben.getByText("You're offline").waitFor({ state: 'detached' });
});

test('a killed server restarts with everything written in the meantime', async () => {
  await journey.kill();
  await say(ada, 'ada, without a server');
  await journey.start();
  await seen('ada, without a server', ada, ben);
  await showsOnce(ada, ['ada, without a server']);
});

test('two windows of one browser show the same content', async () => {
  const second = await ada.context().newPage();
  await second.goto(place);
  await say(second, 'from the second window');
  await seen('from the second window', ada, second, ben);
  await second.close();
  await say(ben, 'after it was closed');
  await seen('after it was closed', ada);
});

test('from the start page, a message can be sent with the keyboard alone', async () => {
  const page = await journey.browser('/');
  await pressUntil(page, 'Tab', page.getByLabel('Username or email address'));
  await page.keyboard.type('admin');
  await pressUntil(page, 'Tab', page.getByLabel('Password', { exact: true }));
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await fieldIn(page).waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('general harb');
  await page.getByRole('option', { name: /general.*Harbour/, selected: true }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(`**${place}`);
  await pressUntil(page, 'Tab', fieldIn(page));
  await page.keyboard.type('without a mouse');
  await page.keyboard.press('Enter');
  await seen('without a mouse', ada, ben);
  await page.context().close();
});

test('the whole client works on a phone, and shows what was read on other devices', async () => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  const page = await journey.browser(place, phone);
  await page.getByText('Sign in to view this page').waitFor();
  await journey.signIn(page, 'ben');
  // Signing in leads to the requested page.
  await seen('without a mouse', page);
  assert.equal(new URL(page.url()).pathname, place);
  // A phone's Enter key inserts a line break, so a button sends.
  await fieldIn(page).fill('from the quay');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await seen('from the quay', ada, ben);
  assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true);
  await page.getByRole('link', { name: 'Back to channels' }).click();
  const row = page.getByRole('link', { name: 'general' });
  await row.waitFor();
  // A long press opens a channel's menu, so no row shows a button for it.
  const opacity = 'getComputedStyle(document.querySelector(".channel-more")).opacity';
  assert.equal(await page.evaluate(opacity), '0');

  // Reading a message on one device marks it as read on the other.
  await ben.evaluate('document.activeElement.blur()');
  await ben.goto('/me/profile');
  await say(ada, 'something new');
  await page.locator('.channel-row-news').waitFor();
  await ben.goto(place);
  await seen('something new', ben);
  await page.locator('.channel-row-news').waitFor({ state: 'detached' });
  await page.context().close();
});

test('a hidden channel shows an error page with a way back', async () => {
  const other = place.replace(/.$/, (letter) => (letter === '0' ? '1' : '0'));
  const page = await ben.context().newPage();
  await page.goto(other);
  await page.getByText('Channel not found').waitFor();
  await page.getByRole('link', { name: 'Back to channels' }).click();
  await page.waitForURL(`**${place}`);
  await page.close();
});

test('a member who is removed while viewing a server is notified, and loses access to it', async () => {
  await ben.goto(place);
  await seen('This door', ben);
  await settings('members');
  await choose(ada, 'Actions for ben', 'Kick');
  await ada.getByRole('dialog').getByRole('button', { name: 'Kick' }).click();
  await ben.getByText("You're no longer a member of Harbour").first().waitFor();
  assert.doesNotMatch(await ben.locator('main').innerText(), /This door/);
  await ben.goto(place);
  await ben.getByText('Page not found').waitFor();
});
