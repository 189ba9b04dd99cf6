import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { Browser } from '../../support/account.ts';
import { violationsInThemes } from '../../support/axe.ts';
import { after, afterEach, before, test } from '../../support/browser.ts';
import { Composing, fieldOf, hasText, send } from '../../support/composing.ts';
import { dataOf } from '../../support/expect.ts';
import { noticesInPage, noticeTitles } from '../../support/notices.ts';
import { until } from '../../support/process.ts';
import { withoutWorker } from '../../support/webClient.ts';
import type { Json } from '../../support/world.ts';

// Mentions of @everyone, @here and roles: completed, confirmed, sent and shown.

let scene: Composing;
let cal: Json;
let role: Json;
before(async () => {
  scene = await Composing.open();
  const { world } = scene.client;
  cal = await world.user({ username: 'cal', name: 'Cal Newport' });
  await world.member(scene.server, cal);
  const make = async (fields: object) =>
    dataOf(await scene.api.post('/roles', { serverId: scene.server.id, ...fields }));
  role = await make({ name: 'OnCall', color: '#cc0000', mentionable: true });
  await make({ name: 'Silent' });
  await make({ name: 'Night shift', mentionable: true });
  dataOf(await scene.api.post('/user-roles', { userId: scene.ben.id, roleId: role.id }));
});
afterEach(() => scene.client.surfer.close());
after(() => scene?.close());

const say = async (content: string): Promise<Json> =>
  dataOf(await scene.api.post('/messages', { channelId: scene.general.id, content }));

test('mentions of everyone are only offered to permitted users, and mentionable roles to all', async () => {
  const page = await scene.window(scene.ada, scene.general);
  const offered = () => page.locator('.completion-name').allTextContents();
  await fieldOf(page).focus();
  await page.keyboard.type('@');
  await page.getByRole('option', { name: '@everyone' }).waitFor();
  await page.getByRole('option', { name: /Cal Newport/ }).waitFor();
  const all = await offered();
  assert.deepEqual(
    all.filter((name) => name.startsWith('@')),
    ['@everyone', '@here', '@OnCall'],
  );
  assert.ok(all.indexOf('@everyone') > 0, 'people come first');
  assert.deepEqual(await violationsInThemes(page, '.completion'), []);
  await page.keyboard.type('onc');
  await page.getByRole('option', { name: /@OnCall/, selected: true }).waitFor();
  await page.keyboard.press('Enter');
  await hasText(page, '@OnCall ');
  await page.keyboard.type('@ever');
  await page.getByRole('option', { name: /@everyone/, selected: true }).waitFor();
  await page.keyboard.press('Tab');
  await hasText(page, '@OnCall @everyone ');
  await fieldOf(page).fill('');

  const other = await scene.window(cal, scene.general);
  await fieldOf(other).focus();
  await other.keyboard.type('@');
  await other.getByRole('option', { name: /@OnCall/ }).waitFor();
  assert.equal(await other.getByRole('option', { name: /@everyone|@here|Silent|Night/ }).count(), 0);
  scene.client.assertSound();
});

test('group mentions are highlighted for their members if they notify anybody', async () => {
  await say('Ship it, @everyone.');
  await say('Help, @oncall!');
  await say('Not @silent, nor in `@everyone`');
  const { world } = scene.client;
  const cals = await world.client(scene.server, ['canEditData'], cal);
  dataOf(await cals.post('/messages', { channelId: scene.general.id, content: 'No power over @everyone' }));
  await world.tidy();
  const marked = async (user: Json) => {
    const page = await scene.window(user, scene.general);
    await page.getByText('No power over @everyone').waitFor();
    await page.locator('.mention', { hasText: '@everyone' }).waitFor();
    const texts = await page.locator('.message:has(.mention-me) .message-text').allTextContents();
    return { page, texts };
  };
  const bens = await marked(scene.ben);
  assert.deepEqual(bens.texts, ['Ship it, @everyone.', 'Help, @OnCall!']);
  assert.equal(await bens.page.locator('.mention').count(), 2);
  assert.deepEqual(await violationsInThemes(bens.page, 'main'), []);
  await bens.page.getByRole('button', { name: /^Inbox/ }).click();
  await bens.page.getByText('Ada Lovelace mentioned @everyone').waitFor();
  await bens.page.getByText('Ada Lovelace mentioned @OnCall').waitFor();
  assert.deepEqual((await marked(cal)).texts, ['Ship it, @everyone.']);
  // The author is not notified.
  assert.deepEqual((await marked(scene.ada)).texts, []);

  // A role that can no longer be mentioned is shown as text.
  dataOf(await scene.api.patch(`/roles/${role.id}`, { mentionable: false }));
  await bens.page.locator('.mention', { hasText: '@OnCall' }).waitFor({ state: 'detached' });
  dataOf(await scene.api.patch(`/roles/${role.id}`, { mentionable: true }));
  scene.client.assertSound();
});

test('direct messages have no group mentions', async () => {
  const browser = await Browser.of(scene.client.world, scene.ada, scene.server);
  const direct = dataOf(await browser.api.post('/conversations', { userIds: [scene.ben.id] }));
  dataOf(await browser.api.post('/messages', { channelId: direct.id, content: 'only you, @everyone' }));
  const page = await scene.window(scene.ben, direct);
  await page.getByText('only you, @everyone').first().waitFor();
  assert.equal(await page.locator('.mention').count(), 0);
  await fieldOf(page).focus();
  await page.keyboard.type('@');
  await page.getByRole('option', { name: /Ada Lovelace/ }).waitFor();
  await page.keyboard.type('e');
  await page.getByRole('option').first().waitFor({ state: 'detached' });
  scene.client.assertSound();
});

test('in the settings, an admin lets everyone mention a role', async () => {
  const page = await scene.client.signedIn(scene.ada, `/s/${scene.server.id}/settings/roles`);
  await page.getByRole('button', { name: 'Silent' }).first().click();
  await page.getByRole('dialog').getByText('Allow anyone to @mention this role').click();
  assert.deepEqual(await violationsInThemes(page, 'dialog'), []);
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const roles: Json[] = dataOf(await scene.api.get(`/servers/${scene.server.id}/roles`));
  assert.equal(roles.find(({ name }) => name === 'Silent')?.mentionable, true);
  scene.client.assertSound();
});

/** Schedules the composer's message and edits it. Both ask for confirmation, with these dialogs. */
async function schedule(page: Page, { dialog, here }: Record<'dialog' | 'here', Locator>): Promise<void> {
  const browser = await Browser.of(scene.client.world, scene.ada, scene.server);
  const scheduled = async (): Promise<string[]> =>
    dataOf(await browser.get('/scheduled-messages')).map(({ content }: Json) => content);
  const tomorrow = async () => {
    await page.getByRole('button', { name: 'Schedule message' }).click();
    await page.getByRole('menuitem', { name: /^Tomorrow/ }).click();
  };
  await tomorrow();
  await here.getByRole('button', { name: 'Cancel' }).click();
  await here.waitFor({ state: 'detached' });
  assert.deepEqual(await scheduled(), []);
  await hasText(page, '@here: lunch?');
  await tomorrow();
  await here.getByRole('button', { name: 'Schedule message' }).click();
  await hasText(page, '');
  assert.deepEqual(await scheduled(), ['@here: lunch?']);
  await page.getByRole('button', { name: 'View' }).click();
  await page.getByRole('button', { name: 'Options for this message' }).click();
  await page.getByRole('menuitem', { name: 'Edit message' }).click();
  const edit = page.getByRole('dialog').filter({ has: page.getByLabel('Message') });
  await edit.getByLabel('Message').fill('@everyone: lunch?');
  await edit.getByRole('button', { name: 'Save' }).click();
  assert.deepEqual(await scheduled(), ['@here: lunch?']);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await edit.waitFor({ state: 'detached' });
  assert.deepEqual(await scheduled(), ['@everyone: lunch?']);
}

test('in a large server, mentions of everyone are confirmed before they are sent', async () => {
  const page = await scene.window(scene.ada, scene.other);
  await send(page, '@everyone: few');
  await scene.until(scene.other, ['@everyone: few']);
  for (let member = 0; member < 100; member++)
    await scene.client.world.member(scene.server, await scene.client.world.user());
  await page.reload();
  await fieldOf(page).waitFor();
  await page.locator('.timeline').waitFor();
  await send(page, '@everyone, all hands!');
  const dialog = page.getByRole('dialog', { name: 'Notify up to 103 people?' });
  await dialog.waitFor();
  assert.deepEqual(await violationsInThemes(page, 'dialog'), []);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await hasText(page, '@everyone, all hands!');
  assert.deepEqual(await scene.sent(scene.other), ['@everyone: few']);
  await fieldOf(page).focus();
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Send' }).click();
  await scene.until(scene.other, ['@everyone: few', '@everyone, all hands!']);
  await hasText(page, '');
  // A message without such a mention needs no confirmation.
  await send(page, '`@here` is only code, and @OnCall is a role');
  await scene.until(scene.other, [
    '@everyone: few',
    '@everyone, all hands!',
    '`@here` is only code, and @OnCall is a role',
  ]);
  await send(page, '@here: lunch?');
  const here = page.getByRole('dialog', { name: 'Notify everyone who is online?' });
  await here.getByRole('button', { name: 'Cancel' }).click();
  await here.waitFor({ state: 'detached' });

  await schedule(page, { dialog, here });
  scene.client.assertSound();
});

test('the browser notification of a group mention names the group', async () => {
  const { client, ben, general, server } = scene;
  const browser = await Browser.of(client.world, ben, server);
  dataOf(await browser.patch('/reading/level', { channelId: general.id, level: 'mentions' }));
  const page = await client.signedIn(ben, 'about:blank', withoutWorker);
  await page.addInitScript(noticesInPage);
  const elsewhere = dataOf(await scene.api.post('/channels', { serverId: server.id, name: 'elsewhere' }));
  await page.goto(`/s/${server.id}/c/${elsewhere.id}`);
  await page.locator('.timeline').waitFor();
  // Notifications of group mentions in earlier tests may be delivered here, too.
  await until(async () => {
    await say('Help, @OnCall');
    await client.world.tidy();
    return (await noticeTitles(page)).some((title) => / mentioned @OnCall in general$/.test(title));
  });
});
