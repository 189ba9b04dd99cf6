import assert from 'node:assert/strict';

import { after, before, test } from '../../support/browser.ts';
import { firstInView, restingTop, rowOf, Talk, topOf } from '../../support/conversation.ts';
import { photo } from '../../support/pictures.ts';
import { upload } from '../../support/uploads.ts';
import type { Json } from '../../support/world.ts';

let talk: Talk;
before(async () => {
  talk = await Talk.open();
});
after(async () => {
  await talk?.client.close();
});

test("two people see each other's messages live, each message once", async () => {
  const there = await Talk.open(talk.client);
  const [ada, ben] = [await there.look('ada'), await there.look('ben')];
  await there.say('ben', 'one');
  await ada.getByText('one', { exact: true }).waitFor();
  const field = ada.locator('#main textarea').first();
  await field.fill('two');
  await field.press('Enter');
  await ben.getByText('two', { exact: true }).waitFor();
  await ada.locator('.message-pending').waitFor({ state: 'detached' });
  for (const page of [ada, ben])
    assert.deepEqual(
      await page
        .locator('[data-message] .message-text')
        .allInnerTexts()
        .then((all) => all.map((one) => one.trim())),
      ['one', 'two'],
    );
  // Screen readers announce the message, except to its author.
  await ben.locator('[role="log"]', { hasText: 'Ada Lovelace: two' }).waitFor({ state: 'attached' });
  assert.equal(await ada.locator('[role="log"]').getByText('two').count(), 0);
});

test('a channel opens at the first unread message, keeps the "New" line, and marks only seen messages as read', async () => {
  const there = await Talk.open(talk.client);
  for (let at = 0; at < 40; at++) await there.say('ada', `before ${at}`);
  await there.readAll('ben');
  const fresh: Json[] = [];
  for (let at = 0; at < 70; at++) fresh.push(await there.say('ada', `new ${at}`));
  const page = await there.look('ben');
  await page.locator('.new-separator').waitFor();
  const top = await topOf(page, fresh[0].id);
  assert.ok(top !== undefined && top > 80 && top < 160, `${top} px from the top`);
  const button = page.getByRole('button', { name: /new messages/ });
  await button.waitFor();
  // The server counts the messages in view as read.
  await page.getByRole('button', { name: /^(3|4|5|6)\d new messages/ }).waitFor();
  await button.click();
  await rowOf(page, fresh[69]).waitFor();
  await button.waitFor({ state: 'detached' });
  // The "New" line stays in place.
  await page.locator('.timeline-scroller').evaluate('(box) => { box.scrollTop = 0; }');
  await page.locator('.new-separator').waitFor();
});

test('a message marked as unread stays so until the person leaves the channel', async () => {
  const there = await Talk.open(talk.client);
  const said: Json[] = [];
  for (let at = 0; at < 6; at++) said.push(await there.say('ada', `word ${at}`));
  await there.readAll('ben');
  const page = await there.look('ben');
  await rowOf(page, said[3]).focus();
  // The window gets the focus right after the line is rendered, before the effects of that render run.
  await page.evaluate(`new MutationObserver((_, observer) => {
    if (!document.querySelector('.new-separator')) return;
    observer.disconnect();
    window.dispatchEvent(new Event('focus'));
  }).observe(document.body, { childList: true, subtree: true })`);
  await page.keyboard.press('u');
  await page.locator('.new-separator').waitFor();
  assert.match(
    await page.evaluate<string>(
      'document.querySelector(".new-separator").nextElementSibling.dataset.message',
    ),
    new RegExp(said[3].id),
  );
  const more = await there.say('ada', 'later');
  await rowOf(page, more).waitFor();
  await page.waitForTimeout(2500);
  await page.reload();
  await page.locator('.new-separator').waitFor();
  assert.equal(
    await page.evaluate<string>(
      'document.querySelector(".new-separator").nextElementSibling.dataset.message',
    ),
    said[3].id,
  );

  // The messages stay unread until the next visit, which marks them as read.
  const { data: other } = await there.as.ada.post('/channels', {
    serverId: there.server.id,
    name: there.client.world.unique('other'),
  });
  const unread = page.waitForResponse(/\/reading\/unread/);
  await rowOf(page, said[3]).focus();
  await page.keyboard.press('u');
  const { unreadAt } = (await (await unread).json()).data;
  await page.getByRole('link', { name: other.name }).click();
  await page.locator('.timeline-beginning', { hasText: other.name }).waitFor();
  const read = page.waitForResponse(/\/reading\/marks/);
  await page.getByRole('link', { name: there.channel.name }).click();
  const { marks } = (await (await read).json()).data;
  assert.partialDeepStrictEqual(marks, [{ channelId: there.channel.id, messageId: more.id, unreadAt }]);
});

test('a permalink scrolls to its message and highlights it, and back and reload restore the position', async () => {
  const there = await Talk.open(talk.client);
  const said: Json[] = [];
  for (let at = 0; at < 260; at++)
    said.push(
      await there.say(at % 3 === 0 ? 'ben' : 'ada', `line ${at}\n${'more words '.repeat((at * 7) % 40)}`),
    );
  await there.readAll('ada');
  const page = await there.look('ada', { messageId: said[60].id });
  await page.locator('.message-marked').waitFor();
  const middle = async (id: string) => {
    const [top, box] = [await topOf(page, id), await page.locator('.timeline-scroller').boundingBox()];
    const row = await page.locator(`[data-message="${id}"]`).boundingBox();
    return Math.abs((top ?? 0) + (row?.height ?? 0) / 2 - (box?.height ?? 0) / 2);
  };
  assert.ok((await middle(said[60].id)) < 3);
  // The message stays in place while rows load above and below.
  await page.waitForTimeout(800);
  assert.ok((await middle(said[60].id)) < 3);

  await page.mouse.move(700, 400);
  await page.mouse.wheel(0, 900);
  await page.waitForTimeout(900);
  const before = await firstInView(page);
  await page.reload();
  await rowOf(page, before).waitFor();
  await page.waitForTimeout(500);
  const after = await firstInView(page);
  assert.equal(after.id, before.id);
  assert.ok(Math.abs(after.top - before.top) < 3, `${after.top} after ${before.top}`);

  // The reply preview leads to the original message, and "back" returns to the previous position.
  const reply = await there.say('ben', 'an answer', { replyToId: said[5].id });
  await page.getByRole('button', { name: /Jump to latest|new message/ }).click();
  await rowOf(page, reply).waitFor();
  await page.waitForTimeout(400);
  const here = await firstInView(page);
  await rowOf(page, reply).locator('a.message-glimpse').click();
  await page.locator(`[data-message="${said[5].id}"].message-marked`).waitFor();
  await page.goBack();
  await rowOf(page, here).waitFor();
  await page.waitForTimeout(500);
  const back = await firstInView(page);
  assert.equal(back.id, here.id);
  assert.ok(Math.abs(back.top - here.top) < 3, `${back.top} after ${here.top}`);
});

test('the list does not shift when messages above are edited, deleted, or get images and reactions', async () => {
  const there = await Talk.open(talk.client);
  const said: Json[] = [];
  for (let at = 0; at < 60; at++) said.push(await there.say('ben', `row ${at}`));
  await there.readAll('ada');
  const page = await there.look('ada', { messageId: said[30].id });
  await page.locator('.message-marked').waitFor();
  const top = await restingTop(page, said[30].id);
  const stays = async (what: string) => {
    await page.waitForTimeout(300);
    assert.ok(Math.abs(((await topOf(page, said[30].id)) ?? 9999) - (top as number)) < 1.5, what);
  };
  await there.as.ben.patch(`/messages/${said[4].id}`, { content: 'long\n'.repeat(30) });
  await rowOf(page, said[4]).getByText('long').first().waitFor({ state: 'attached' });
  await stays('after an edit above');
  await there.as.ben.delete(`/messages/${said[3].id}`);
  await rowOf(page, said[3]).waitFor({ state: 'detached' });
  await stays('after a deletion above');
  await there.as.ben.post('/reactions', { messageId: said[2].id, emoji: '👍' });
  await stays('after a reaction above');
  await there.as.ben.patch(`/messages/${said[33].id}`, { content: 'long\n'.repeat(20) });
  await stays('after an edit below');
  await there.say('ben', 'at the end');
  await stays('after a new one');
});

test('images reserve their space before they load, and open as large as the window', async () => {
  const there = await Talk.open(talk.client);
  const bytes = await photo(1200, 700).jpeg().toBuffer();
  const ids: string[] = [];
  for (let at = 0; at < 2; at++) {
    const { data } = await upload(talk.client.world, there.as.ben, new Uint8Array(bytes), `view ${at}.jpg`);
    ids.push(data.id);
  }
  const said = await there.say('ben', 'two views', { attachmentIds: ids });
  const { data: paper } = await upload(talk.client.world, there.as.ben, undefined, 'paper.txt');
  await there.say('ben', 'the paper', { attachmentIds: [paper.id] });
  const page = await there.client.signedIn(there.ada);
  await page.route('**/attachments/*/content*', (route) => setTimeout(() => route.continue(), 700));
  await page.goto(there.path());
  const picture = rowOf(page, said).locator('img.picture-image').first();
  await picture.waitFor({ state: 'attached' });
  const box = () =>
    rowOf(page, said)
      .boundingBox()
      .then((found) => found?.height);
  const height = await box();
  await rowOf(page, said).locator('.picture-image-shown').first().waitFor();
  assert.equal(await box(), height);
  assert.ok(await page.evaluate<boolean>('document.querySelector(".picture-image").naturalWidth > 0'));

  await rowOf(page, said).getByRole('button', { name: 'Open view 0.jpg' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('1 of 2').waitFor();
  await page.keyboard.press('ArrowRight');
  await dialog.getByText('2 of 2').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  const link = page.getByRole('link', { name: 'Download paper.txt' });
  assert.match((await link.getAttribute('href')) ?? '', /\/content\?download=true$/);
});

test('the page reports no error, violates no policy, and makes no requests to other hosts', () => {
  const complaints = talk.client.surfer.complaints.filter((one) => !/status of 404/.test(one));
  assert.deepEqual(complaints, []);
  talk.client.assertSound();
});
