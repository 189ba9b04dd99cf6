import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { Browser } from '../../support/account.ts';
import { violationsInThemes } from '../../support/axe.ts';
import { after, afterEach, before, test } from '../../support/browser.ts';
import { dataOf } from '../../support/expect.ts';
import { PanelScene } from '../../support/panelScene.ts';
import { WebClient, withoutWorker } from '../../support/webClient.ts';
import type { Json } from '../../support/world.ts';

let client: WebClient;
before(async () => {
  client = await WebClient.open({ limits: { '*': 0 } });
});
afterEach(() => client.surfer.close());
after(() => client?.close());

const phone = { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true };

/** A server with Ada, Ben and Cem. */
async function harbour() {
  const scene = await PanelScene.open(client);
  const cem = await client.world.user({ name: 'Cem Yıldız', username: client.world.unique('cem') });
  await client.world.member(scene.server, cem);
  const asCem = (await Browser.of(client.world, cem, scene.server)).api;
  const { server } = scene;
  const start = async (...others: Json[]): Promise<Json> =>
    dataOf(
      await scene.asAda.post('/conversations', {
        serverId: server.id,
        userIds: others.map(({ id }) => id),
      }),
    );
  const write = async (calls: typeof asCem, channelId: string, content: string): Promise<Json> =>
    dataOf(await calls.post('/messages', { channelId, content }));
  const pathOf = ({ id }: Json) => `/s/${server.id}/c/${id}`;
  return { scene, cem, asCem, start, write, pathOf };
}

const rows = (page: Page) => page.getByRole('list', { name: 'Direct messages' }).getByRole('link');
const field = (page: Page, name: string) => page.getByRole('textbox', { name: `Message ${name}` });

test('a direct message appears for both people immediately, with its messages, badge and threads', async () => {
  const { scene, start, write, pathOf } = await harbour();
  const ben = await scene.look(scene.ben);
  await ben.getByRole('heading', { name: 'Direct messages' }).waitFor();
  assert.equal(await rows(ben).count(), 0);
  const dm = await start(scene.ben);
  await rows(ben).filter({ hasText: 'Ada Lovelace' }).waitFor();
  await write(scene.asAda, dm.id, 'The tide is turning');
  await ben.getByRole('link', { name: 'Ada Lovelace: 1 unread message' }).waitFor();
  await ben.getByRole('link', { name: 'Direct messages: 1 unread' }).waitFor();
  assert.equal(await rows(ben).locator('.channel-row-mentions').innerText(), '1');
  await rows(ben).first().click();
  await ben.waitForURL(`**${pathOf(dm)}`);
  await ben.getByRole('heading', { name: 'Ada Lovelace', exact: true }).waitFor();
  await ben.getByText('The tide is turning').waitFor();
  await ben.locator('.channel-row-mentions').waitFor({ state: 'detached' });
  await ben.getByText('This is the beginning of your conversation with Ada Lovelace').waitFor();
  await field(ben, 'Ada Lovelace').fill('So are we');
  await ben.keyboard.press('Enter');
  const ada = await client.signedIn(scene.ada, pathOf(dm), withoutWorker);
  await ada.getByText('So are we').waitFor();
  await ada.getByRole('heading', { name: 'Ben Bitdiddle', exact: true }).waitFor();
  await field(ben, 'Ada Lovelace').pressSequentially('Are you');
  await ada.getByText('Ben Bitdiddle is typing').first().waitFor();
  assert.deepEqual(await violationsInThemes(ada), []);
  client.assertSound();
});

test('the latest activity comes first, and old conversations are behind a link', async () => {
  const { scene, cem, asCem, start, write, pathOf } = await harbour();
  const one = await start(scene.ben);
  const other = await start(cem);
  const page = await client.signedIn(scene.ada, pathOf(other), withoutWorker);
  await rows(page).filter({ hasText: 'Ben Bitdiddle' }).waitFor();
  assert.match(await rows(page).first().innerText(), /Cem/);
  await write(scene.asBen, one.id, 'Hello');
  await rows(page).first().filter({ hasText: 'Ben Bitdiddle' }).waitFor();
  await write(asCem, other.id, 'Hello');
  await rows(page).first().filter({ hasText: 'Cem' }).waitFor();
  await page.reload();
  await rows(page).nth(1).filter({ hasText: 'Ben Bitdiddle' }).waitFor();
  assert.match(await rows(page).first().innerText(), /Cem/);
  const people = await Promise.all(
    Array.from({ length: 11 }, async () => {
      const user = await client.world.user({ name: 'Dee' });
      await client.world.member(scene.server, user);
      return user;
    }),
  );
  for (const person of people) await start(person);
  await page.getByRole('link', { name: 'View all (13)' }).click();
  await page.waitForURL('**/direct');
  await rows(page).nth(12).waitFor();
  assert.deepEqual(await violationsInThemes(page), []);
});

test('the picker starts a group with the keyboard, and finds the existing one again', async () => {
  const { scene, pathOf } = await harbour();
  const page = await scene.look(scene.ada);
  const begin = async () => {
    await page.getByRole('button', { name: 'New message' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'New message' });
    for (const name of ['ben', 'cem']) {
      const words = dialog.getByRole('searchbox', { name: 'Find people' });
      await words.fill(name);
      await page.keyboard.press('Enter');
      await dialog.getByText(name === 'ben' ? '1 person selected' : '2 people selected').waitFor();
    }
    return dialog;
  };
  const dialog = await begin();
  assert.deepEqual(await violationsInThemes(page), []);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Ben Bitdiddle and Cem Yıldız' }).waitFor();
  await dialog.waitFor({ state: 'detached' });
  const [dm] = dataOf(await scene.asAda.get('/conversations'));
  assert.equal(dm.memberIds.length, 3);
  await page.goto(scene.path());
  await begin();
  await page.keyboard.press('Enter');
  await page.waitForURL(`**${pathOf(dm)}`);
  assert.equal(dataOf(await scene.asAda.get('/conversations')).length, 1);
});

test('a profile card and the palette open the direct message with a person', async () => {
  const { scene, pathOf } = await harbour();
  await scene.send(scene.asBen, 'Ahoy');
  const page = await scene.look(scene.ada);
  await page.getByRole('button', { name: 'Ben Bitdiddle' }).first().click();
  await page.getByRole('button', { name: 'Message', exact: true }).click();
  await page.getByRole('heading', { name: 'Ben Bitdiddle', exact: true }).waitFor();
  const [dm] = dataOf(await scene.asAda.get('/conversations'));
  await page.waitForURL(`**${pathOf(dm)}`);
  await page.goto(scene.path());
  await rows(page).first().waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('#ben bitd');
  await page.getByRole('option', { name: 'Ben Bitdiddle' }).first().waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(`**${pathOf(dm)}`);
});

test('the error is the same whether somebody blocks the sender or accepts no messages', async () => {
  const { scene, cem, asCem } = await harbour();
  const benAt = await Browser.of(client.world, scene.ben);
  dataOf(await benAt.patch('/me', { directMessages: 'nobody' }));
  const cemAt = await Browser.of(client.world, cem);
  dataOf(await cemAt.post('/blocks', { userId: scene.ada.id }));
  await scene.send(scene.asBen, 'Ahoy');
  dataOf(await asCem.post('/messages', { channelId: scene.channel.id, content: 'Merhaba' }));
  const page = await scene.look(scene.ada);
  for (const name of ['Ben Bitdiddle', 'Cem Yıldız']) {
    await page.getByRole('button', { name }).first().click();
    await page.getByRole('button', { name: 'Message', exact: true }).click();
    await page.locator('.toast-text').getByText('Somebody here does not accept direct messages.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Dismiss' }).first().click();
  }
});

test('a phone lists direct messages from all servers, and opens them', async () => {
  const { scene, start, write, pathOf } = await harbour();
  const elsewhere = await harbour();
  await client.world.member(elsewhere.scene.server, scene.ben);
  const dm = await start(scene.ben);
  const far = await elsewhere.start(scene.ben);
  await write(scene.asAda, dm.id, 'Near');
  await write(elsewhere.scene.asAda, far.id, 'Far');
  const page = await client.signedIn(scene.ben, `/s/${scene.server.id}`, { ...withoutWorker, ...phone });
  await page.getByRole('link', { name: 'Direct messages: 2 unread' }).click();
  await page.waitForURL('**/direct');
  await rows(page).nth(1).waitFor();
  assert.deepEqual(await violationsInThemes(page), []);
  await rows(page).first().click();
  await page.waitForURL(`**${elsewhere.pathOf(far)}`);
  await page.getByText('Far').waitFor();
  assert.deepEqual(await violationsInThemes(page), []);
  await page.goto(pathOf(dm));
  await page.getByText('Near').waitFor();
});

test('the inbox shows everything from direct messages under one filter', async () => {
  const { scene, start, write } = await harbour();
  const dm = await start(scene.ben);
  const own = await write(scene.asAda, dm.id, 'Mine');
  dataOf(await scene.asBen.post('/messages', { channelId: dm.id, content: 'Near', replyToId: own.id }));
  await write(scene.asBen, dm.id, 'Nearer');
  await scene.send(scene.asBen, `Far @${scene.ada.username}`);
  const page = await scene.look(scene.ada, '?panel=inbox');
  const inbox = page.locator('.inbox-row-link');
  await inbox.nth(2).waitFor();
  const kinds = page.getByRole('combobox', { name: 'Show' });
  await kinds.selectOption('Direct messages');
  await inbox.nth(2).waitFor({ state: 'detached' });
  const shown = async () => (await inbox.allInnerTexts()).map((text) => text.split('\n').at(-1));
  const both = ['Ben Bitdiddle sent you a message', 'Ben Bitdiddle replied to you'];
  assert.deepEqual(await shown(), both);
  await page.reload();
  await inbox.nth(1).waitFor();
  assert.deepEqual(await shown(), both);
});

test("direct messages follow the page's language", async () => {
  const { scene, start, pathOf } = await harbour();
  const dm = await start(scene.ben);
  const page = await client.signedIn(scene.ada, pathOf(dm), { ...withoutWorker, locale: 'de' });
  await page.getByText('Hier beginnt deine Unterhaltung mit Ben Bitdiddle').waitFor();
  await page.getByRole('button', { name: 'Neue Nachricht' }).click();
  await page
    .getByRole('dialog', { name: 'Neue Nachricht' })
    .getByText('Niemand ausgewählt')
    .waitFor({ state: 'attached' });
});

test('a member who left is still named, and the conversation stays', async () => {
  const { scene, start, write, pathOf } = await harbour();
  const dm = await start(scene.ben);
  await write(scene.asBen, dm.id, 'Farewell');
  const members = dataOf(await scene.asAda.get(`/servers/${scene.server.id}/members`));
  const member = members.find(({ userId }: Json) => userId === scene.ben.id);
  const page = await client.signedIn(scene.ada, pathOf(dm), withoutWorker);
  await page.getByText('Farewell').waitFor();
  dataOf(await scene.asAda.delete(`/server-members/${member.id}`));
  await page.getByText('Ben Bitdiddle is no longer in this server.').waitFor();
  assert.equal(await page.getByText('Farewell').count(), 1);
});
