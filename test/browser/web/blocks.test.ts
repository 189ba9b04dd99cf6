import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { Browser } from '../../support/account.ts';
import { violationsInThemes } from '../../support/axe.ts';
import { after, afterEach, before, test } from '../../support/browser.ts';
import { dataOf } from '../../support/expect.ts';
import { noticesInPage, untilNotified } from '../../support/notices.ts';
import { PanelScene } from '../../support/panelScene.ts';
import { photo } from '../../support/pictures.ts';
import { until } from '../../support/process.ts';
import { WebClient, withoutWorker } from '../../support/webClient.ts';
import type { Json } from '../../support/world.ts';

const phone = { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true };

let client: WebClient;
before(async () => {
  client = await WebClient.open({ limits: { '*': 0 } });
});
afterEach(() => client.surfer.close());
after(() => client?.close());

const collapsed = (page: Page) => page.getByText('Message from someone you blocked.');
const blocksOf = async (scene: PanelScene) =>
  dataOf(await (await Browser.of(client.world, scene.ada)).get('/blocks'));

test('a person is blocked and unblocked in their profile, which takes effect in all windows immediately', async () => {
  const scene = await PanelScene.open(client);
  await scene.send(scene.asBen, 'Buy my rope');
  const page = await scene.look(scene.ada);
  const other = await scene.look(scene.ada);
  await other.getByText('Buy my rope').waitFor();
  await page.getByRole('button', { name: 'Ben Bitdiddle' }).first().click();
  await page.getByRole('button', { name: 'Member options' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Block', exact: true }).press('Enter');
  const question = page.getByRole('dialog', { name: 'Block Ben Bitdiddle?' });
  await question.getByText("They won't know that you blocked them.", { exact: false }).waitFor();
  await question.getByRole('button', { name: 'Block' }).click();
  for (const window of [page, other]) {
    await collapsed(window).waitFor();
    assert.equal(await window.getByText('Buy my rope').count(), 0);
  }
  assert.equal((await blocksOf(scene)).length, 1);
  assert.deepEqual(await violationsInThemes(other), []);
  // The keyboard can reach the message, and screen readers read it again once it is shown.
  await other.locator('[data-message]').focus();
  await other.keyboard.press('Enter');
  await other.keyboard.press('Enter');
  await other.getByText('Buy my rope').waitFor();
  await page.keyboard.press('Escape');
  await page.reload();
  await collapsed(page).waitFor();
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await page.getByRole('button', { name: 'Ben Bitdiddle' }).first().click();
  await page.getByRole('button', { name: 'Member options' }).click();
  await page.getByRole('menuitem', { name: 'Unblock' }).click();
  await page.getByText('Ben Bitdiddle is no longer blocked.').first().waitFor();
  assert.deepEqual(await blocksOf(scene), []);
  client.assertSound();
});

test('a blocked person is not shown as typing, announced, or shown in replies', async () => {
  const scene = await PanelScene.open(client);
  const own = await Browser.of(client.world, scene.ada);
  const cem = await client.world.user({ name: 'Cem Yıldız', username: client.world.unique('cem') });
  await client.world.member(scene.server, cem);
  const asCem = (await Browser.of(client.world, cem, scene.server)).api;
  dataOf(await own.post('/blocks', { userId: scene.ben.id }));
  const message = await scene.send(scene.asBen, 'Buy my rope');
  const page = await scene.look(scene.ada);
  await collapsed(page).waitFor();
  const { id: channelId } = scene.channel;
  const type = (calls: typeof asCem) => calls.post('/indicators', { type: 'typing', channelId });
  dataOf(await type(scene.asBen));
  dataOf(await type(asCem));
  await page.locator('.typing').getByText('Cem Yıldız is typing…').first().waitFor();
  assert.doesNotMatch(await page.locator('.typing').innerText(), /Ben|Several/);
  await scene.send(scene.asBen, 'Rope, cheap');
  await scene.send(asCem, 'No, thanks', { replyToId: message.id });
  await page.getByRole('log').getByText('No, thanks').waitFor();
  assert.doesNotMatch(await page.getByRole('log').first().innerText(), /cheap/);
  const reply = page.locator('.message-glimpse').filter({ hasText: 'Ben Bitdiddle' });
  await reply.getByText('Message from someone you blocked.').waitFor();
  assert.equal(await page.getByText('Buy my rope').count(), 0);
  client.assertSound();
});

test('messages from a blocked person are collapsed in search results, pins, threads, the inbox and saved messages', async () => {
  const scene = await PanelScene.open(client);
  const own = await Browser.of(client.world, scene.ada);
  const { username } = scene.ada;
  const message = await scene.send(scene.asBen, `Buy my rope, @${username}`);
  dataOf(await scene.asAda.post('/pins', { messageId: message.id }));
  dataOf(await scene.asBen.post('/threads', { channelId: scene.channel.id, messageId: message.id }));
  dataOf(await own.post('/saved', { messageId: message.id }));
  const page = await scene.look(scene.ada);
  const places: [name: string, open: () => Promise<unknown>, list: string][] = [
    ['search', () => page.goto(scene.path('?panel=search&q=rope')), '.message-card'],
    ['pins', () => page.goto(scene.path('?panel=pins')), '.message-card'],
    ['threads', () => page.goto(scene.path('?panel=threads')), '.thread-row'],
    ['inbox', () => page.goto(scene.path('?panel=inbox')), '.inbox-row'],
    ['saved', () => page.goto('/later'), '.inbox-row'],
  ];
  for (const isBlocked of [false, true]) {
    if (isBlocked) dataOf(await own.post('/blocks', { userId: scene.ben.id }));
    for (const [name, open, list] of places) {
      await open();
      const row = page.locator(list).first();
      const text = isBlocked ? 'Message from someone you blocked.' : 'Buy my rope';
      await row.getByText(text).waitFor();
      if (isBlocked) assert.doesNotMatch(await row.innerText(), /rope/, name);
    }
  }
  client.assertSound();
});

test('messages from blocked people show no notifications', async () => {
  const scene = await PanelScene.open(client);
  dataOf(await (await Browser.of(client.world, scene.ada)).post('/blocks', { userId: scene.ben.id }));
  const cem = await client.world.user({ name: 'Cem Yıldız' });
  await client.world.member(scene.server, cem);
  const page = await client.signedIn(scene.ada, 'about:blank', withoutWorker);
  await page.addInitScript(noticesInPage);
  await page.goto('/me');
  await page.getByRole('heading', { name: 'Profile' }).waitFor();
  await until(
    async () =>
      (await page.evaluate<number>(
        'performance.getEntriesByType("resource").filter(({ name }) => name.includes("/blocks")).length',
      )) > 0,
  );
  const asCem = (await Browser.of(client.world, cem, scene.server)).api;
  await untilNotified(page, () => scene.send(asCem, 'Ahoy'));
  await scene.send(scene.asBen, 'Buy my rope');
  await scene.send(asCem, 'Last');
  const bodies = async () => (await page.evaluate<Json[]>('shown')).map(({ body }) => body);
  await until(async () => (await bodies()).includes('Last'));
  assert.deepEqual([...new Set(await bodies())], ['Ahoy', 'Last']);
});

test('the privacy page sets who can message the person, and lists blocked people, who can be unblocked', async () => {
  const scene = await PanelScene.open(client);
  const own = await Browser.of(client.world, scene.ada);
  const stranger = await client.world.user({ name: 'Nobody Here' });
  for (const { id } of [stranger, scene.ben]) dataOf(await own.post('/blocks', { userId: id }));
  const page = await client.signedIn(scene.ada, '/me/privacy', { ...withoutWorker, ...phone });
  const list = page.getByRole('list', { name: 'Blocked people' });
  await list.getByText('Ben Bitdiddle').waitFor();
  assert.match(await list.getByRole('listitem').first().innerText(), /Ben Bitdiddle/);
  await list.getByText('Unknown user').waitFor();
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390);
  await list.getByRole('button', { name: 'Unblock Ben Bitdiddle' }).click();
  await list.getByText('Ben Bitdiddle').waitFor({ state: 'detached' });
  await list.getByRole('button', { name: 'Unblock Unknown user' }).click();
  await page.getByText('No one is blocked').waitFor();
  assert.deepEqual(await violationsInThemes(page), []);
  await page.getByRole('combobox', { name: 'People who can message you' }).selectOption('No one');
  await until(async () => dataOf(await own.get('/me')).directMessages === 'nobody');
  await page.reload();
  assert.equal(
    await page.getByRole('combobox', { name: 'People who can message you' }).inputValue(),
    'nobody',
  );
  client.assertSound();
});

test('a member can rename a group, even to the name of a channel, but not a direct message between two people', async () => {
  const scene = await PanelScene.open(client);
  const cem = await client.world.user({ name: 'Cem Yıldız', username: client.world.unique('cem') });
  await client.world.member(scene.server, cem);
  const start = async (...userIds: string[]) =>
    dataOf(await scene.asAda.post('/conversations', { serverId: scene.server.id, userIds }));
  const [group] = [await start(scene.ben.id, cem.id), await start(scene.ben.id)];
  const page = await client.signedIn(scene.ben, `/s/${scene.server.id}/c/${group.id}`, withoutWorker);
  const rows = page.getByRole('list', { name: 'Direct messages' });
  // The row's name also states whether the other person is online, once that is known.
  const open = (name: string) =>
    rows.getByRole('link', { name: new RegExp(`^${name}(: Offline)?$`) }).click({ button: 'right' });
  await open('Ada Lovelace');
  await page.getByRole('menuitem', { name: 'Jump to a date' }).waitFor();
  assert.equal(await page.getByRole('menuitem', { name: 'Edit conversation' }).count(), 0);
  await page.keyboard.press('Escape');
  await open('Ada Lovelace and Cem Yıldız');
  await page.getByRole('menuitem', { name: 'Edit conversation' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit conversation' });
  const picture = await photo().png().toBuffer();
  await dialog
    .locator('input[type=file]')
    .setInputFiles({ name: 'us.png', mimeType: 'image/png', buffer: picture });
  await dialog.getByRole('button', { name: 'Remove picture' }).waitFor();
  await dialog.locator('.avatar img[src^="/api/v1/pictures/"]').waitFor();
  await dialog.getByRole('textbox', { name: 'Name' }).fill(scene.channel.name);
  assert.deepEqual(await violationsInThemes(page), []);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: scene.channel.name, exact: true }).waitFor();
  await dialog.waitFor({ state: 'detached' });
  client.assertSound();
});

test('a server can turn off direct messages with agents', async () => {
  const scene = await PanelScene.open(client);
  const page = await client.signedIn(scene.ada, `/s/${scene.server.id}/settings`, withoutWorker);
  await page.getByRole('switch', { name: 'Allow direct messages with agents' }).click();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await until(
    async () => dataOf(await scene.asAda.get(`/servers/${scene.server.id}`)).directAgents === false,
  );
  client.assertSound();
});
