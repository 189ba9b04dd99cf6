import assert from 'node:assert/strict';
import { join } from 'node:path';

import { seedMessages } from '../../../bench/seed.ts';
import { after, before, test } from '../../support/browser.ts';
import { restingTop, rowOf, Talk, topOf } from '../../support/conversation.ts';
import { engine } from '../../support/databases.ts';
import { go } from '../../support/everyPage.ts';
import { dataOf } from '../../support/expect.ts';
import { fieldIn, messageIn, say, seen } from '../../support/journey.ts';
import { photo } from '../../support/pictures.ts';
import { until } from '../../support/process.ts';
import { upload } from '../../support/uploads.ts';
import type { Json } from '../../support/world.ts';

/** The number of messages after the one that the permalink opens. */
const AFTER = 600;

let talk: Talk;
let other: Json;
before(async () => {
  talk = await Talk.open();
  other = dataOf(await talk.as.ada.post('/channels', { serverId: talk.server.id, name: 'other' }));
});
after(async () => {
  await talk?.client.close();
});

const pathOf = (channel: Json) => `/s/${talk.server.id}/c/${channel.id}`;

test('a channel that was open before is painted in the next frame, without a request', async () => {
  for (let at = 0; at < 60; at++) await talk.say('ben', `here ${at}`);
  for (let at = 0; at < 60; at++) await talk.say('ben', `there ${at}`, { channelId: other.id });
  await talk.readAll('ada');
  const page = await talk.look('ada');
  // Waits until both channels have loaded completely: earlier messages load shortly after the latest.
  await messageIn(page, 'here 59').waitFor();
  await messageIn(page, 'here 0').waitFor();
  await page.locator('.channel-row', { hasText: 'other' }).click();
  await messageIn(page, 'there 59').waitFor();
  await messageIn(page, 'there 0').waitFor();
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() === 'GET' && pathname.startsWith('/api/')) asked.push(pathname);
  });
  const after = await page.evaluate<string[]>(`(async () => {
      const shown = [];
      const painted = () => new Promise((done) => requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => done();
        port2.postMessage(0);
      }));
      for (const href of [${JSON.stringify(talk.path())}, ${JSON.stringify(pathOf(other))}, ${JSON.stringify(talk.path())}]) {
        document.querySelector('.channel-row[href="' + href + '"]').click();
        await painted();
        const last = [...document.querySelectorAll('main [data-message]')].at(-1);
        const box = document.querySelector('main .timeline-scroller');
        const isInView = last && box && last.getBoundingClientRect().bottom <= box.getBoundingClientRect().bottom + 1;
        shown.push((isInView ? '' : 'out of view: ') + last?.querySelector('.message-text').textContent.trim());
      }
      return shown;
    })()`);
  assert.deepEqual(after, ['here 59', 'there 59', 'here 59']);
  // The read markers are requested once more after the page has loaded.
  assert.deepEqual(
    asked.filter((path) => path !== '/api/people/reading'),
    [],
  );
  await page.context().close();
});

test('a message whose request is pending during a switch stays in its channel', async () => {
  const page = await talk.look('ada');
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/api/v1/messages', async (route) => {
    await released;
    await route.continue();
  });
  await say(page, 'for this one');
  await page.locator('.message-pending').waitFor();
  await page.locator('.channel-row', { hasText: 'other' }).click();
  await page.getByLabel('Message #other').waitFor();
  await fieldIn(page).fill('for the other');
  assert.equal(await page.getByText('for this one').count(), 0);
  release();
  const contents = async (channel: Json) => {
    const rows: Json[] = dataOf(await talk.as.ada.get(`/channels/${channel.id}/messages?limit=1`));
    return rows[0].content;
  };
  await until(async () => (await contents(talk.channel)) === 'for this one');
  assert.equal(await contents(other), 'there 59');
  assert.equal(await fieldIn(page).inputValue(), 'for the other');
  await fieldIn(page).press('Enter');
  await seen('for the other', page);
  await until(async () => (await contents(other)) === 'for the other');
  await page.context().close();
});

test('a permalink far back scrolls to its message and stays there while images above and below load', async () => {
  assert.equal(engine, 'sqlite', 'messages are inserted into an SQLite file');
  const there = await Talk.open(talk.client);
  const bytes = new Uint8Array(await photo(900, 500).jpeg().toBuffer());
  const pictured: Json[] = [];
  let target: Json;
  for (let at = 0; at < 7; at++) {
    if (at === 4) target = await there.say('ada', 'the one that was meant');
    const { data } = await upload(there.client.world, there.as.ben, bytes, `view ${at}.jpg`);
    pictured.push(await there.say('ben', `view ${at}`, { attachmentIds: [data.id] }));
  }
  seedMessages(join(there.client.world.folder, 'palaver.db'), there.channel, there.ben.id, AFTER);
  await there.readAll('ada');
  const page = await there.client.signedIn(there.ada, '/me', { viewport: { width: 1280, height: 800 } });
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/attachments/*/content*', async (route) => {
    await released;
    await route.continue();
  });
  await page.goto(there.path(target.id));
  await page.locator(`[data-message="${target.id}"].message-marked`).waitFor();
  const top = await restingTop(page, target.id);
  assert.ok(top !== undefined && top > 100 && top < 500, `${top} px from the top`);
  release();
  for (const one of [pictured[3], pictured[4]])
    await rowOf(page, one as { id: string })
      .locator('.picture-image-shown')
      .first()
      .waitFor({ state: 'attached' });
  assert.equal(await restingTop(page, target.id), top);
  await page.context().close();
});

test('a row that grows above the viewport does not move the text being read', async () => {
  const there = await Talk.open(talk.client);
  const said: Json[] = [];
  for (let at = 0; at < 40; at++) said.push(await there.say('ben', `row ${at}`));
  await there.readAll('ada');
  const page = await there.look('ada', { messageId: said[30].id });
  await page.locator('.message-marked').waitFor();
  const top = await restingTop(page, said[30].id);
  // Measures after each paint. If the page has changed since, the next frame measures instead.
  await page.evaluate(`(() => {
      globalThis.moved = [];
      const row = document.querySelector('[data-message="${said[30].id}"]');
      const from = row.getBoundingClientRect().top;
      let isChanged = false;
      new MutationObserver(() => { isChanged = true; })
        .observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
      const { port1, port2 } = new MessageChannel();
      const frame = () => requestAnimationFrame(() => { isChanged = false; port2.postMessage(0); });
      port1.onmessage = () => {
        if (!isChanged) moved.push(Math.abs(row.getBoundingClientRect().top - from));
        frame();
      };
      frame();
    })()`);
  dataOf(await there.as.ben.patch(`/messages/${said[20].id}`, { content: 'much longer\n'.repeat(25) }));
  await rowOf(page, said[20]).getByText('much longer').first().waitFor({ state: 'attached' });
  assert.equal(await restingTop(page, said[30].id), top);
  assert.equal(await topOf(page, said[30].id), top);
  // The text did not move, not even for a single frame.
  const moved = await page.evaluate<number[]>('moved');
  assert.ok(moved.length >= 10);
  assert.deepEqual(
    moved.filter((px) => px >= 1),
    [],
  );
  await page.context().close();
});

test('channels and servers are marked as read, muted, linked and left from their lists, by pointer and keyboard', async () => {
  await talk.readAll('ben');
  for (const content of ['one', `two @${talk.ben.username}`])
    await talk.say('ada', content, { channelId: other.id });
  const page = await talk.look('ben', { permissions: ['clipboard-read', 'clipboard-write'] });
  const copied = () => page.evaluate<string>('navigator.clipboard.readText()');
  const row = page.locator('.channel-row', { hasText: 'other' });
  const choose = (name: string) => page.getByRole('menuitem', { name }).click();
  const label = (text: string) => page.getByRole('link', { name: text, exact: true }).waitFor();
  await label('other: 1 mention and 2 unread messages');
  await row.click({ button: 'right' });
  await choose('Mark as read');
  await label('other');
  // The channel was not opened, and the server also has the read marker.
  assert.ok(page.url().endsWith(talk.path()));
  await page.reload();
  await label('other');

  await row.focus();
  await page.keyboard.press('Shift+F10');
  const menu = page.getByRole('menu', { name: 'Menu for other' });
  await menu.waitFor();
  // A forbidden item is listed with its rule.
  await menu
    .getByText('You need a role with one of these permissions: “Manage channels” and “Manage server”.')
    .waitFor();
  const settings = menu.getByRole('menuitem', { name: 'Channel settings' });
  assert.equal(await settings.getAttribute('aria-disabled'), 'true');
  await page.keyboard.press('Escape');
  await menu.waitFor({ state: 'detached' });
  assert.ok(await row.evaluate((element) => element.matches(':focus')));
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await choose('For 24 hours');
  await label('other: muted');
  await row.click({ button: 'right' });
  await choose('Copy link');
  await page.locator('.toast', { hasText: 'Copied' }).waitFor();
  assert.equal(new URL(await copied()).pathname, pathOf(other));

  await talk.say('ada', `three @${talk.ben.username}`, { channelId: other.id });
  const server = page.locator('.rail-link').first();
  await page.getByRole('link', { name: 'Harbour, 1 mention' }).click({ button: 'right' });
  await choose('Mark all as read');
  await page.getByRole('link', { name: 'Harbour', exact: true }).waitFor();
  await server.click({ button: 'right' });
  await choose('Leave server');
  const question = page.getByRole('dialog', { name: 'Leave Harbour?' });
  // The name is in a <bdi>, whatever its direction.
  await question.locator('h2 bdi', { hasText: /^Harbour$/ }).waitFor();
  await page.keyboard.press('Escape');
  await page.context().close();
});

test("an owner's menus retry after a failed load, offer to transfer the server, and link to channel settings", async () => {
  const own = await talk.look('ada');
  // A menu that fails to load breaks nothing else and loads the next time.
  await own.route('**/ChannelItems-*.js', (route) => route.abort());
  await own.locator('.channel-row', { hasText: 'other' }).click({ button: 'right' });
  await own.locator('.toast', { hasText: 'Something went wrong.' }).waitFor();
  await own.unroute('**/ChannelItems-*.js');
  const { complaints } = talk.client.surfer;
  complaints.splice(0, complaints.length, ...complaints.filter((line) => !/ERR_FAILED/.test(line)));
  await own.locator('.rail-link').first().click({ button: 'right' });
  await own.getByText('You own this server. Transfer ownership or delete it first.').waitFor();
  await own.keyboard.press('Escape');
  await own.locator('.channel-row', { hasText: 'other' }).click({ button: 'right' });
  await own.getByRole('menuitem', { name: 'Channel settings' }).click();
  const dialog = own.getByRole('dialog', { name: 'Edit other' });
  await dialog.getByRole('textbox', { name: 'Description' }).fill('Beside the quay');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  assert.ok(own.url().endsWith(talk.path()));
  await own.context().close();
});

test('a permalink to a deleted message says that it was deleted, and shows the messages around it', async () => {
  const there = await Talk.open(talk.client);
  const [before, gone, after] = [
    await there.say('ben', 'before it'),
    await there.say('ben', 'soon gone'),
    await there.say('ben', 'after it'),
  ];
  dataOf(await there.as.ben.delete(`/messages/${gone.id}`));
  await there.readAll('ada');
  const page = await there.look('ada', { messageId: gone.id });
  await page.getByText('This message no longer exists').first().waitFor();
  for (const message of [before, after]) await rowOf(page, message).waitFor();
  assert.equal(await page.locator('.message-marked').count(), 0);
  await page.context().close();
});

test('a permalink into a hidden channel reveals nothing and offers a way back', async () => {
  const secret: Json = dataOf(
    await talk.as.ada.post('/channels', { serverId: talk.server.id, name: 'hidden-quay', private: true }),
  );
  const message = await talk.say('ada', 'a hidden matter', { channelId: secret.id });
  const thread: Json = dataOf(await talk.as.ada.post('/threads', { messageId: message.id }));
  const page = await talk.look('ben');
  for (const path of [
    `${pathOf(secret)}/m/${message.id}`,
    `${pathOf(secret)}?thread=${thread.id}`,
    `${talk.path()}?thread=${thread.id}`,
  ]) {
    await go(page, path);
    await page
      .getByText(/Channel not found|Thread not found|thread is gone/)
      .first()
      .waitFor();
    assert.doesNotMatch(await page.content(), /hidden (matter)|hidden-quay/);
  }
  await go(page, talk.path(message.id));
  await messageIn(page, 'here 59').waitFor({ state: 'attached' });
  assert.doesNotMatch(await page.content(), /hidden (matter)|hidden-quay/);
  talk.client.assertSound();
  await page.context().close();
});
