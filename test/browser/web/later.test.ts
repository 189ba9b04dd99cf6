import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { Browser } from '../../support/account.ts';
import { violationsInThemes } from '../../support/axe.ts';
import { after, afterEach, before, test } from '../../support/browser.ts';
import { dataOf } from '../../support/expect.ts';
import { field, localTime, openSchedule, rowOf, rows } from '../../support/later.ts';
import { noticesInPage, noticeTitles, untilNotified } from '../../support/notices.ts';
import { PanelScene } from '../../support/panelScene.ts';
import { until } from '../../support/process.ts';
import { WebClient, withoutWorker } from '../../support/webClient.ts';
import { type Json, TestClock } from '../../support/world.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

let clock: TestClock;
let client: WebClient;
before(async () => {
  clock = new TestClock();
  client = await WebClient.open({ clock, limits: { '*': 0 }, timers: true });
});
afterEach(() => client.surfer.close());
after(() => client?.close());

async function pass(ms: number): Promise<void> {
  clock.advance(ms);
  await client.world.node.clock?.look();
}

/** Freezes the browser's clock at the node's time. */
const withClock = async (page: Page): Promise<void> => page.clock.setFixedTime(clock.at);

async function look(scene: PanelScene, user: Json, path = scene.path(), options = {}): Promise<Page> {
  const page = await client.signedIn(user, 'about:blank', { ...withoutWorker, ...options });
  await withClock(page);
  await page.goto(path);
  return page;
}

test('a message is scheduled by keyboard, shown above the composer, changed, and sent when it is due', async () => {
  const scene = await PanelScene.open(client);
  const ben = (await Browser.of(client.world, scene.ben)).api;
  const page = await look(scene, scene.ben);
  await openSchedule(page);
  await page.getByText('Write a message first').waitFor();
  await page.keyboard.press('Escape');
  await field(page, scene).fill('Good morning');
  await openSchedule(page);
  await page.keyboard.press('Enter');
  await page.getByText(/^1 message scheduled for tomorrow at 9:00\sAM\.$/).waitFor();
  assert.equal(await field(page, scene).inputValue(), '');
  await page.locator('.composer-field:focus').waitFor();
  assert.deepEqual(await violationsInThemes(page), []);
  await page.getByRole('link', { name: 'View' }).click();
  await page.waitForURL('**/later/scheduled');
  await rows(page, 'Scheduled').filter({ hasText: 'Good morning' }).waitFor();
  assert.deepEqual(await violationsInThemes(page), []);
  await page.getByRole('button', { name: 'Options for this message' }).click();
  await page.getByRole('menuitem', { name: 'Edit message' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit message' });
  await dialog.getByRole('textbox', { name: 'Message' }).fill('Good evening');
  await dialog.getByLabel('Date and time').fill(localTime(clock.at + 2 * DAY_MS));
  await dialog.getByRole('button', { name: 'Save' }).click();
  await rows(page, 'Scheduled').filter({ hasText: 'Good evening' }).waitFor();
  await pass(2 * DAY_MS);
  await page.getByText('No scheduled messages').waitFor();
  await page.goBack();
  await rowOf(page, 'Good evening').waitFor();
  assert.equal(await page.locator('.composer').getByText('message scheduled').count(), 0);
  assert.deepEqual(dataOf(await ben.get('/notifications')), []);
  client.assertSound();
});

test('threads and direct messages have their own scheduled messages, at a custom time', async () => {
  const scene = await PanelScene.open(client);
  const message = await scene.send(scene.asAda, 'A topic');
  const thread = dataOf(await scene.asAda.post('/threads', { messageId: message.id, name: 'Topic' }));
  const dm = dataOf(
    await scene.asAda.post('/conversations', { serverId: scene.server.id, userIds: [scene.ben.id] }),
  );
  const page = await look(scene, scene.ben, scene.path(`?thread=${thread.id}`));
  const custom = async (name: string) => {
    await page.getByRole('textbox', { name }).fill(`For ${name}`);
    await page.getByRole('button', { name: 'Schedule message' }).last().click();
    await page.getByRole('menuitem', { name: 'Custom time…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Schedule message' });
    await dialog.getByLabel('Date and time').fill(localTime(clock.at - DAY_MS));
    await dialog.getByRole('button', { name: 'Schedule message' }).click();
    await dialog.getByText('Must be in the future, at most 366 days ahead.').waitFor();
    await dialog.getByLabel('Date and time').fill(localTime(clock.at + 30 * DAY_MS));
    await dialog.getByRole('button', { name: 'Schedule message' }).click();
    await dialog.waitFor({ state: 'detached' });
  };
  await custom('Reply in thread');
  await page.locator('aside').getByText('1 message scheduled for').waitFor();
  assert.equal(await page.getByText('1 message scheduled for').count(), 1);
  await page.goto(`/s/${scene.server.id}/c/${dm.id}`);
  await custom('Message Ada Lovelace');
  await page.getByText('1 message scheduled for').waitFor();
  await page.goto('/later/scheduled');
  await rows(page, 'Scheduled').nth(1).waitFor();
  await rows(page, 'Scheduled')
    .filter({ hasText: 'For Reply in thread' })
    .getByText('thread')
    .last()
    .waitFor();
  const direct = rows(page, 'Scheduled').filter({ hasText: 'To Ada Lovelace' });
  await direct.getByRole('button', { name: 'Options for this message' }).click();
  await page.getByRole('menuitem', { name: 'Send now' }).click();
  await page.getByText('Message sent.').first().waitFor();
  await direct.waitFor({ state: 'detached' });
  await rows(page, 'Scheduled').getByRole('button', { name: 'Options for this message' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No scheduled messages').waitFor();
  const [sent] = dataOf(await scene.asAda.get(`/channels/${dm.id}/messages`));
  assert.equal(sent.content, 'For Message Ada Lovelace');
});

test('the draft is cleared with its message, even if the user left the channel before the response', async () => {
  const scene = await PanelScene.open(client);
  dataOf(await scene.asAda.post('/conversations', { serverId: scene.server.id, userIds: [scene.ben.id] }));
  const page = await look(scene, scene.ben);
  const held = Promise.withResolvers<void>();
  await page.route('**/scheduled-messages', async (route) => {
    if (route.request().method() === 'POST') await held.promise;
    await route.continue();
  });
  await field(page, scene).fill('Good morning');
  await openSchedule(page);
  await page.keyboard.press('Enter');
  await page.getByRole('list', { name: 'Direct messages' }).getByRole('link').click();
  await page.getByRole('textbox', { name: 'Message Ada Lovelace' }).fill('Ahoy');
  held.resolve();
  await page
    .getByText(/^Message scheduled for tomorrow/)
    .first()
    .waitFor();
  assert.equal(await page.getByRole('textbox', { name: 'Message Ada Lovelace' }).inputValue(), 'Ahoy');
  await page.getByRole('link', { name: scene.channel.name }).first().click();
  assert.equal(await field(page, scene).inputValue(), '');
});

test('a message that cannot be sent keeps its text and the reason, and its notification links to it', async () => {
  const scene = await PanelScene.open(client);
  const page = await look(scene, scene.ben);
  await field(page, scene).fill('Too late');
  await openSchedule(page);
  await page.keyboard.press('Enter');
  await page.getByText('1 message scheduled').waitFor();
  dataOf(await scene.asAda.patch(`/channels/${scene.channel.id}`, { readonly: true }));
  await pass(2 * DAY_MS);
  await page.getByText("A scheduled message wasn't sent.").waitFor();
  await page.goto(scene.path('?panel=inbox'));
  await page.getByRole('link', { name: "Couldn't send a scheduled message" }).click();
  await page.waitForURL('**/later/scheduled');
  const row = rows(page, 'Scheduled').filter({ hasText: 'Too late' });
  await row.getByText(/^Not sent: /).waitFor();
  assert.deepEqual(await violationsInThemes(page), []);
  dataOf(await scene.asAda.patch(`/channels/${scene.channel.id}`, { readonly: false }));
  await withClock(page);
  await row.getByRole('button', { name: 'Options for this message' }).click();
  await page.getByRole('menuitem', { name: 'Try again' }).click();
  const dialog = page.getByRole('dialog', { name: 'Try again' });
  assert.equal(await dialog.getByRole('textbox', { name: 'Message' }).inputValue(), 'Too late');
  await dialog.getByRole('button', { name: 'Schedule message' }).click();
  await row.getByText('Scheduled for tomorrow').waitFor();
  await pass(2 * DAY_MS);
  await row.waitFor({ state: 'detached' });
});

test('a message is saved from its menu, marked in all windows, and listed on a page', async () => {
  const scene = await PanelScene.open(client);
  await scene.send(scene.asAda, 'Read the minutes');
  const page = await look(scene, scene.ben);
  const other = await look(scene, scene.ben);
  const row = rowOf(page, 'Read the minutes');
  await rowOf(other, 'Read the minutes').waitFor();
  await row.focus();
  await row.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Save for later' }).click();
  await row.getByText('Saved', { exact: true }).waitFor();
  await rowOf(other, 'Read the minutes').getByText('Saved', { exact: true }).waitFor();
  await other.keyboard.press('Control+k');
  await other.getByRole('combobox').fill('saved');
  await other.getByRole('option', { name: 'Saved messages and reminders' }).click();
  await other.waitForURL('**/later/saved');
  await rows(other, 'Saved').getByRole('link', { name: 'Ada Lovelace' }).click();
  await other.waitForURL('**/m/*');
  await row.focus();
  await page.keyboard.press('s');
  await row.getByText('Saved', { exact: true }).waitFor({ state: 'detached' });
  await rowOf(other, 'Read the minutes').getByText('Saved', { exact: true }).waitFor({ state: 'detached' });
  client.assertSound();
});

test('a reminder is set by keyboard, shown and changed on the page, and opens the message', async () => {
  const scene = await PanelScene.open(client);
  const message = await scene.send(scene.asAda, 'Call the harbour');
  const page = await look(scene, scene.ben);
  const row = rowOf(page, 'Call the harbour');
  await row.focus();
  await row.getByRole('button', { name: 'More actions' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Remind me…' }).press('Enter');
  await page.getByRole('menu', { name: 'Remind me' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page
    .getByText(/^Reminder set for today at /)
    .first()
    .waitFor();
  await row.getByText('Saved', { exact: true }).waitFor();
  await page.goto('/later');
  await rows(page, 'Saved')
    .getByText(/^Reminder: today at /)
    .waitFor();
  assert.deepEqual(await violationsInThemes(page), []);
  await page.getByRole('button', { name: 'Change reminder' }).click();
  await page.getByRole('menuitem', { name: 'In 20 minutes' }).click();
  await page
    .getByText(/^Reminder set for today at /)
    .first()
    .waitFor();
  await pass(20 * MINUTE_MS);
  await rows(page, 'Saved')
    .getByText(/^Reminder: /)
    .waitFor({ state: 'detached' });
  await page.goto(scene.path('?panel=inbox'));
  await page.getByRole('link', { name: 'Reminder: message from Ada Lovelace' }).click();
  await page.waitForURL(`**/m/${message.id}**`);
  await page.goto('/later/saved');
  await rows(page, 'Saved').getByText('Call the harbour').waitFor();
  dataOf(await scene.asAda.delete(`/messages/${message.id}`));
  await rows(page, 'Saved')
    .getByText(/^This message was deleted/)
    .waitFor();
  await page.getByRole('button', { name: 'Remove from saved' }).click();
  await page.getByText('No saved messages').waitFor();
  client.assertSound();
});

test('a reminder and a failed message show a notification, even in a muted channel that is open', async () => {
  const scene = await PanelScene.open(client);
  const message = await scene.send(scene.asAda, 'Call the harbour');
  const ben = await Browser.of(client.world, scene.ben);
  const { id: channelId } = scene.channel;
  const dueAt = clock.at + DAY_MS;
  dataOf(await ben.post('/saved', { messageId: message.id, remindAt: dueAt }));
  dataOf(await ben.post('/scheduled-messages', { channelId, content: 'Too late', dueAt }));
  ben.place = scene.server.id;
  dataOf(await ben.patch('/reading/level', { channelId, level: 'nothing' }));
  dataOf(await scene.asAda.patch(`/channels/${channelId}`, { readonly: true }));
  const page = await client.signedIn(scene.ben, 'about:blank', withoutWorker);
  await page.addInitScript(noticesInPage);
  await withClock(page);
  await page.goto(scene.path());
  await rowOf(page, 'Call the harbour').waitFor();
  const other = dataOf(await scene.asAda.post('/channels', { name: 'other' }));
  await untilNotified(page, () => scene.asAda.post('/messages', { channelId: other.id, content: 'Ahoy' }));
  await page.clock.setFixedTime(dueAt);
  await pass(DAY_MS);
  const shown = async () => (await noticeTitles(page)).filter((title) => !title.endsWith('in other'));
  await until(async () => (await shown()).length === 2);
  const { name } = scene.channel;
  assert.deepEqual(await shown(), [
    `Couldn't send a scheduled message in ${name}`,
    `Reminder: message from Ada Lovelace in ${name}`,
  ]);
  await page.evaluate(`shown.find(({ title }) => title.startsWith('Could')).notice.onclick()`);
  await page.waitForURL('**/later/scheduled');
  await page.evaluate(`shown.find(({ title }) => title.startsWith('Remind')).notice.onclick()`);
  await page.waitForURL(`**/m/${message.id}`);
});

test("on a phone, both pages fit and are reachable from the user's menu", async () => {
  const scene = await PanelScene.open(client);
  const message = await scene.send(scene.asAda, `${'long'.repeat(60)} word`);
  const own = await Browser.of(client.world, scene.ben);
  dataOf(await own.post('/saved', { messageId: message.id, remindAt: clock.at + DAY_MS }));
  dataOf(
    await own.post('/scheduled-messages', {
      channelId: scene.channel.id,
      content: 'wide '.repeat(200),
      dueAt: clock.at + DAY_MS,
    }),
  );
  const phone = { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true };
  const page = await look(scene, scene.ben, `/s/${scene.server.id}`, phone);
  await page.getByRole('button', { name: 'Ben Bitdiddle: your menu' }).click();
  await page.getByRole('menuitem', { name: 'Saved and scheduled' }).click();
  for (const name of ['Saved', 'Scheduled']) {
    await page.getByRole('link', { name, exact: true }).click();
    await rows(page, name).first().waitFor();
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390);
    await page.goBack();
  }
  await until(async () => (await page.getByRole('link', { name: 'Scheduled', exact: true }).count()) === 1);
});
