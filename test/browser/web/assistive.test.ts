import assert from 'node:assert/strict';

import type { Page } from 'playwright-core';
import { after, before, test } from '../../support/browser.ts';
import { rowOf, Talk } from '../../support/conversation.ts';
import { dataOf } from '../../support/expect.ts';
import { fieldIn, messageIn, say, seen } from '../../support/journey.ts';
import type { Json } from '../../support/world.ts';

/** Records everything that is added to live regions with this role, as a screen reader would announce it. */
const noted = (role: string) => `window.heard = []; new MutationObserver((changes) => {
  for (const { target, addedNodes } of changes)
    if (target.closest?.('[role="${role}"]')) for (const node of addedNodes) window.heard.push(node.textContent);
}).observe(document, { childList: true, subtree: true });`;
const heard = (page: Page) => page.evaluate<string[]>('window.heard');

/** A short description of the focused element. */
const focus = (page: Page) =>
  page.evaluate<string>(`(() => {
    const { activeElement: at } = document;
    return at === null || at === document.body || !at.checkVisibility() ? 'nowhere' : at.dataset.message ?? at.id + ' ' + at.className;
  })()`);

let talk: Talk;
before(async () => {
  talk = await Talk.open();
});
after(async () => {
  await talk?.client.close();
});

test("each new message from others is announced once, regardless of the scroll position; history and the user's own messages are not", async () => {
  const there = await Talk.open(talk.client);
  const first = await there.say('ben', 'history 0');
  for (let at = 1; at < 120; at++) await there.say('ben', `history ${at}`);
  await there.readAll('ada');
  const page = await there.client.signedIn(there.ada);
  await page.addInitScript(noted('log'));
  await page.goto(there.path());
  await page.getByText('history 119').waitFor();
  await say(page, 'my own words');
  await seen('my own words', page);
  await there.say('ben', 'news 1');
  await page.locator('[role="log"]', { hasText: 'news 1' }).waitFor({ state: 'attached' });
  // Scrolls far back in the history, where new messages are not rendered.
  await page.evaluate(
    `history.pushState(null, '', '${there.path(first.id)}'); dispatchEvent(new Event('palaver-moved'))`,
  );
  await page.locator('.message-marked').waitFor();
  await there.say('ben', 'news 2');
  await page.locator('[role="log"]', { hasText: 'news 2' }).waitFor({ state: 'attached' });
  await page.getByRole('button', { name: /new message|Latest/ }).click();
  await seen('news 2', page);
  await page.locator('.timeline-scroller').evaluate((box) => box.scrollTo(0, 0));
  await messageIn(page, 'history 60').first().waitFor();
  // A burst is announced as a count.
  await Promise.all([3, 4, 5, 6, 7].map((at) => there.say('ben', `news ${at}`)));
  await page.locator('[role="log"]', { hasText: /new messages/ }).waitFor({ state: 'attached' });
  assert.deepEqual(
    (await heard(page)).filter((text) => text.startsWith('Ben Okri: ')),
    ['Ben Okri: news 1', 'Ben Okri: news 2'],
  );
  assert.doesNotMatch(String(await heard(page)), /history|my own/);
  await page.context().close();
});

test('replies in the open thread are announced, but not as messages in the channel', async () => {
  const there = await Talk.open(talk.client);
  const root = await there.say('ben', 'a matter');
  const thread: Json = dataOf(await there.as.ada.post('/threads', { messageId: root.id }));
  const page = await there.client.signedIn(there.ada);
  await page.addInitScript(noted('log'));
  await page.goto(`${there.path()}?thread=${thread.id}`);
  await page.locator('.side-panel .composer-field').waitFor();
  dataOf(await there.as.ben.post('/messages', { threadId: thread.id, content: 'a reply' }));
  await page.getByRole('log', { name: 'New replies' }).getByText('a reply').waitFor({ state: 'attached' });
  assert.deepEqual(await heard(page), ['Ben Okri: a reply']);
  await page.context().close();
});

test('focus is not lost when a message is deleted by shortcut, by menu, or by somebody else', async () => {
  const there = await Talk.open(talk.client);
  const said: Json[] = [];
  for (let at = 0; at < 6; at++) said.push(await there.say('ada', `mine ${at}`));
  await there.readAll('ada');
  const page = await there.look('ada');
  const dialog = page.getByRole('dialog', { name: 'Delete message?' });
  const row = (at: number) => rowOf(page, said[at] as { id: string });
  const gone = async (at: number) => {
    await row(at).waitFor({ state: 'detached' });
    assert.notEqual(await focus(page), 'nowhere');
    // The keyboard continues through the list from there.
    await page.keyboard.press('Tab');
    assert.notEqual(await focus(page), 'nowhere');
  };
  await row(5).focus();
  await page.keyboard.press('Delete');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await gone(5);

  await row(4).focus();
  await page.keyboard.press('Enter');
  await row(4).getByRole('button', { name: 'More actions' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: /^Delete/ }).focus();
  await page.keyboard.press('Enter');
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  // The action bar with the button is gone, so the message gets the focus.
  assert.equal(await focus(page), said[4]?.id);
  await page.keyboard.press('Delete');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await gone(4);

  await row(3).focus();
  await there.as.ada.delete(`/messages/${said[3]?.id}`);
  await gone(3);

  await row(2).focus();
  await page.keyboard.press('e');
  await page.getByLabel('Edit message').waitFor();
  await there.as.ada.delete(`/messages/${said[2]?.id}`);
  await gone(2);
  await page.context().close();
});

test('focus is not lost when panels, threads, toasts and channels close', async () => {
  const there = await Talk.open(talk.client);
  const root = await there.say('ben', 'a matter');
  const thread: Json = dataOf(await there.as.ada.post('/threads', { messageId: root.id }));
  const page = await there.client.signedIn(there.ada, `${there.path()}?panel=members`);
  // Opened by URL, so no earlier element had the focus.
  const panel = page.locator('.side-panel');
  await panel.getByRole('searchbox').focus();
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
  assert.notEqual(await focus(page), 'nowhere', 'a panel');

  await page.goto(`${there.path()}?thread=${thread.id}`);
  await panel.locator('.composer-field').focus();
  dataOf(await there.as.ada.delete(`/threads/${thread.id}`));
  await panel.locator('.composer-field').waitFor({ state: 'detached' });
  assert.notEqual(await focus(page), 'nowhere', 'a thread');

  await page.route('**/api/v1/pins', (route) => route.abort());
  await rowOf(page, root).focus();
  await page.keyboard.press('p');
  const dismiss = page
    .getByRole('region', { name: 'Notifications' })
    .getByRole('button', { name: 'Dismiss' });
  await dismiss.first().focus();
  await page.keyboard.press('Enter');
  await dismiss.waitFor({ state: 'detached' });
  assert.equal(await focus(page), root.id, 'a toast');

  await fieldIn(page).focus();
  await page.keyboard.type('half a thought');
  dataOf(await there.as.ada.delete(`/channels/${there.channel.id}`));
  await page.getByText('Channel not found').waitFor();
  assert.notEqual(await focus(page), 'nowhere', 'a channel');
  await page.context().close();
  const { complaints } = talk.client.surfer;
  complaints.splice(0, complaints.length, ...complaints.filter((line) => !/ERR_FAILED/.test(line)));
  talk.client.assertSound();
});

test('every dialog and menu returns the focus when it closes', async () => {
  const there = await Talk.open(talk.client);
  const page = await there.look('ada');
  await page.locator('.rail').waitFor();
  const openers = page.locator('button[aria-haspopup="menu"]:visible');
  const count = await openers.count();
  assert.ok(count >= 3, `${count} menus`);
  // The browser hides a menu before its button gets the event.
  const closed = () =>
    page.locator('[aria-haspopup="menu"][aria-expanded="true"]').waitFor({ state: 'detached' });
  for (let at = 0; at < count; at++) {
    const opener = openers.nth(at);
    const name = (await opener.getAttribute('aria-label')) ?? String(at);
    await opener.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menu').waitFor();
    const items = await page.getByRole('menuitem').allInnerTexts();
    await page.keyboard.press('Escape');
    await closed();
    const isBack = () => opener.evaluate((one) => one.matches(':focus'));
    assert.ok(await isBack(), name);
    for (const item of items.filter((text) => /…$|Invite people|Leave (?!channel)|Delete/.test(text))) {
      await page.keyboard.press('Enter');
      const choice = page.getByRole('menuitem', { name: item, exact: true });
      if ((await choice.getAttribute('aria-disabled')) === 'true') {
        await page.keyboard.press('Escape');
        continue;
      }
      await choice.click();
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await closed();
      assert.ok(await isBack(), `${name}, ${item}`);
    }
  }
  await page.context().close();
});

test('a long press on a message opens its menu; a scroll or tap does not', async () => {
  const there = await Talk.open(talk.client);
  const said = await there.say('ada', 'under the finger');
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  const page = await there.look('ada', phone);
  const devtools = await page.context().newCDPSession(page);
  const box = await rowOf(page, said).locator('.message-text').boundingBox();
  assert.ok(box);
  const point = { x: box.x + 20, y: box.y + box.height / 2 };
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: { x: number; y: number }[] = []) =>
    devtools.send('Input.dispatchTouchEvent', { type, touchPoints: points });
  const menu = page.getByRole('menu', { name: 'More actions' });
  await touch('touchStart', [point]);
  await touch('touchEnd');
  await page.waitForTimeout(300);
  assert.equal(await menu.count(), 0, 'a tap');
  await touch('touchStart', [point]);
  await touch('touchMove', [{ x: point.x, y: point.y - 40 }]);
  await page.waitForTimeout(600);
  await touch('touchEnd');
  await page.waitForTimeout(300);
  assert.equal(await menu.count(), 0, 'a scroll');
  await touch('touchStart', [point]);
  // The tap left the row's action bar visible, so no new element signals the end of the long press.
  await page.waitForTimeout(1_000);
  await touch('touchEnd');
  await menu.waitFor();
  await menu.getByRole('menuitem', { name: /^Reply/ }).tap();
  await page.getByText('Replying to Ada Lovelace').waitFor();

  // A toast covers neither the composer nor a sheet.
  await page.getByRole('button', { name: 'Cancel reply' }).tap();
  await touch('touchStart', [point]);
  await page.waitForTimeout(1_000);
  await touch('touchEnd');
  await menu.getByRole('menuitem', { name: /^Copy link/ }).tap();
  const news = await page.locator('.toast').boundingBox();
  const head = await page.locator('.channel-header').boundingBox();
  assert.ok(news && head && news.y >= head.y + head.height && news.y + news.height < 844 / 4);

  // A long press on a channel in the list opens the channel's menu.
  await page.getByRole('link', { name: 'Back to channels' }).tap();
  const row = await page.locator('.channel-row').boundingBox();
  assert.ok(row);
  await touch('touchStart', [{ x: row.x + 20, y: row.y + row.height / 2 }]);
  await page.waitForTimeout(1_000);
  await touch('touchEnd');
  await page.getByRole('menu').getByRole('menuitem', { name: 'Pinned messages' }).tap();
  await page.waitForURL(/panel=pins/);
  await page.context().close();
});
