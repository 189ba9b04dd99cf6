import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { Browser } from '../../support/account.ts';
import { violationsInThemes } from '../../support/axe.ts';
import { after, afterEach, before, test } from '../../support/browser.ts';
import { dataOf } from '../../support/expect.ts';
import { made, PanelScene } from '../../support/panelScene.ts';
import { until } from '../../support/process.ts';
import { WebClient, withoutWorker } from '../../support/webClient.ts';
import type { Json } from '../../support/world.ts';

let client: WebClient;
before(async () => {
  client = await WebClient.open({ limits: { '*': 0 } });
});
afterEach(() => client.surfer.close());
after(async () => {
  await client?.close();
  client?.assertSound();
});

/** A direct message between Ada and Ben in a server with Cem. */
async function harbour() {
  const scene = await PanelScene.open(client);
  const { server, asAda, asBen, ada, ben } = scene;
  const cem = await client.world.user({ name: 'Cem Yıldız', username: client.world.unique('cem') });
  await client.world.member(server, cem);
  const start = (...people: Json[]) =>
    made(asAda.post('/conversations', { serverId: server.id, userIds: people.map(({ id }) => id) }));
  const dm = await start(ben);
  await made(asBen.post('/messages', { channelId: dm.id, content: 'Between us' }));
  const pathOf = ({ id }: Json) => `/s/${server.id}/c/${id}`;
  const look = (query = '', options = {}) =>
    client.signedIn(ada, `${pathOf(dm)}${query}`, { ...withoutWorker, ...options });
  const all = async (): Promise<Json[]> => dataOf(await asAda.get('/conversations'));
  return { scene, cem, dm, start, pathOf, look, all };
}

/** Types a name into the open dialog, and selects the best match with Enter. */
async function choose(page: Page, name: string, chosen: string) {
  const dialog = page.getByRole('dialog', { name: 'Add people' });
  await dialog.getByRole('searchbox', { name: 'Find people' }).fill(name);
  await page.keyboard.press('Enter');
  await dialog.getByText(chosen).waitFor({ state: 'attached' });
  return dialog;
}

test('adding people by keyboard starts a conversation without the earlier messages, or opens the existing one', async () => {
  const { scene, cem, dm, pathOf, look, all } = await harbour();
  const page = await look();
  await page.getByText('Between us').waitFor();
  await page.locator('.channel-header').getByRole('button', { name: 'Add people' }).focus();
  await page.keyboard.press('Enter');
  const dialog = await choose(page, 'cem', '2 people selected');
  await dialog.getByText('a new conversation without the earlier messages').waitFor();
  const present = dialog.getByRole('checkbox', { name: /^Ben Bitdiddle/ });
  assert.deepEqual([await present.isChecked(), await present.isDisabled()], [true, true]);
  assert.deepEqual(await violationsInThemes(page), []);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Ben Bitdiddle and Cem Yıldız' }).waitFor();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('This is the beginning of your conversation').waitFor();
  assert.equal(await page.getByText('Between us').count(), 0);
  const [group] = (await all()).filter(({ id }) => id !== dm.id);
  assert.deepEqual(group?.memberIds.toSorted(), [scene.ada, scene.ben, cem].map(({ id }) => id).toSorted());
  const asCem = (await Browser.of(client.world, cem, scene.server)).api;
  assert.deepEqual(
    dataOf(await asCem.get('/conversations')).map(({ id }: Json) => id),
    [group?.id],
  );

  await page.goto(`${pathOf(dm)}?panel=members`);
  await page.locator('.side-panel').getByRole('button', { name: 'Add people' }).click();
  await choose(page, 'cem', '2 people selected');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**${pathOf(group as Json)}`);
  assert.equal((await all()).length, 2);
});

test('nobody is added before somebody is selected, and Escape returns to the conversation', async () => {
  const { look, all } = await harbour();
  const page = await look();
  const button = page.locator('.channel-header').getByRole('button', { name: 'Add people' });
  await button.click();
  const dialog = page.getByRole('dialog', { name: 'Add people' });
  await dialog.getByText('1 person selected').waitFor({ state: 'attached' });
  await dialog.getByText('You can select up to 8 people.').waitFor();
  await page.keyboard.press('Enter');
  await dialog.getByText('Select at least one person.').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  assert.equal(await button.evaluate((element) => element.matches(':focus')), true);
  assert.equal((await all()).length, 1);
});

test("the members of a conversation are independent of the server's members", async () => {
  const { look } = await harbour();
  const page = await look('?panel=members');
  const panel = page.getByRole('region', { name: 'Members' });
  await until(async () => (await panel.locator('.member-row').count()) === 2);
  for (const name of ['Ada Lovelace', 'Ben Bitdiddle'])
    await panel.getByRole('button', { name: new RegExp(name) }).waitFor();
  assert.deepEqual(await violationsInThemes(page), []);
});

test('a full conversation says that it is full', async () => {
  const { scene, cem, start, pathOf } = await harbour();
  const people = [scene.ben, cem];
  while (people.length < 9) {
    const user = await client.world.user({ name: 'Dee' });
    await client.world.member(scene.server, user);
    people.push(user);
  }
  const full = await start(...people);
  const page = await client.signedIn(scene.ada, `${pathOf(full)}?panel=members`, withoutWorker);
  await until(async () => (await page.locator('.member-row').count()) === 10);
  assert.equal(await page.getByRole('button', { name: 'Add people' }).count(), 0);
  await page.getByRole('button', { name: 'Channel options' }).click();
  await page.getByText('A conversation can have up to 10 people').waitFor();
  assert.equal(
    await page.getByRole('menuitem', { name: 'Add people' }).getAttribute('aria-disabled'),
    'true',
  );
});

test("on a phone, a conversation's menu adds people, also in German", async () => {
  const { scene, dm, look, all } = await harbour();
  const phone = { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true };
  const page = await look('', { ...phone, locale: 'de' });
  await page.getByText('Between us').waitFor();
  await page.locator('.channel-header').getByRole('button').last().tap();
  await page.getByRole('menuitem', { name: 'Personen hinzufügen' }).tap();
  const dialog = page.getByRole('dialog', { name: 'Personen hinzufügen' });
  await dialog.getByText('eine neue Unterhaltung ohne die früheren Nachrichten').waitFor();
  await dialog.getByText(/Cem Yıldız/).tap();
  await dialog.getByText('2 Personen ausgewählt').waitFor({ state: 'attached' });
  assert.deepEqual(await violationsInThemes(page), []);
  assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true);
  await dialog.getByRole('button', { name: 'Unterhaltung öffnen' }).tap();
  await page.getByRole('heading', { name: 'Ben Bitdiddle und Cem Yıldız' }).waitFor();
  const [group] = (await all()).filter(({ id }) => id !== dm.id);
  assert.equal(group?.serverId, scene.server.id);
});
