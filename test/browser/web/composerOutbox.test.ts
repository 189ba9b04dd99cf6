// @run chromium: the headless shell lacks offline storage
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { after, afterEach, before, test } from '../../support/browser.ts';
import { Composing, fieldOf, hasText, send } from '../../support/composing.ts';
import { dataOf } from '../../support/expect.ts';
import { TestClock } from '../../support/world.ts';

const SENDING = '**/api/v1/messages';

let scene: Composing;
before(async () => {
  scene = await Composing.open();
});
afterEach(() => scene.client.surfer.close());
after(() => scene?.close());

const shown = (page: Page) =>
  page.evaluate<string[]>(
    `[...document.querySelectorAll('.timeline article')].map((one) => /(mine|hers) \\d/.exec(one.textContent)?.[0])`,
  );
const showsExactly = async (page: Page, expected: string[]) => {
  const end = Date.now() + 15_000;
  let found = await shown(page);
  while (String(found) !== String(expected) && Date.now() < end) {
    await page.waitForTimeout(100);
    found = await shown(page);
  }
  assert.deepEqual(found, expected);
};

test('offline messages show immediately and are sent once, in order, between messages from others', async () => {
  const channel = await scene.channel({ name: 'offline' });
  const page = await scene.window(scene.ben, channel);
  await send(page, 'mine 1');
  await scene.until(channel, ['mine 1']);
  await page.context().setOffline(true);
  await page.getByText("You're offline.").waitFor();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`));
  for (const count of [2, 3, 4]) await send(page, `mine ${count}`);
  await showsExactly(page, ['mine 1', 'mine 2', 'mine 3', 'mine 4']);
  assert.equal(await page.locator('.message-pending-mark').getByText('Queued').count(), 3);
  assert.equal(await fieldOf(page).inputValue(), '');
  for (const count of [1, 2])
    dataOf(await scene.api.post('/messages', { channelId: channel.id, content: `hers ${count}` }));
  await page.waitForTimeout(4_000);
  // Offline, the page posts nothing: no message, draft or typing indicator.
  assert.deepEqual(
    asked.filter((one) => one.startsWith('POST')),
    [],
  );
  await page.context().setOffline(false);
  await scene.until(channel, ['mine 1', 'hers 1', 'hers 2', 'mine 2', 'mine 3', 'mine 4'], 30);
  await showsExactly(page, await scene.sent(channel));
});

test('a rejected message is flagged in the channel list, survives a reload, and can be edited and sent', async () => {
  const channel = await scene.channel({ name: 'refusals' });
  const other = await scene.channel({ name: 'elsewhere' });
  const page = await scene.window(scene.ben, channel);
  const refusal = { ok: false, error: { code: 'FORBIDDEN', message: 'not today' } };
  await page.route(SENDING, (route) => route.fulfill({ status: 403, json: refusal }));
  await send(page, 'mine 1');
  await page.getByText('Not sent: Not today.').waitFor();
  await page.goto(scene.path(other));
  await page.getByRole('link', { name: 'refusals: unsent message' }).click();
  await page.getByText('Not sent: Not today.').waitFor();
  await page.unroute(SENDING);
  await page.getByRole('button', { name: 'Edit' }).click();
  assert.equal(await fieldOf(page).inputValue(), 'mine 1');
  await page.keyboard.press('Backspace');
  await page.keyboard.type('2');
  await page.keyboard.press('Enter');
  await scene.until(channel, ['mine 2']);
  await showsExactly(page, ['mine 2']);
});

test('pending messages survive a reload, and a lost response does not duplicate a message', async () => {
  const channel = await scene.channel({ name: 'reloaded' });
  const page = await scene.window(scene.ben, channel);
  // The server stores the message, but the response is lost.
  await page.route(SENDING, async (route) => {
    await route.fetch();
    // A reload may have ended the request already.
    await route.abort().catch(() => undefined);
  });
  await send(page, 'mine 1');
  await scene.until(channel, ['mine 1']);
  await page.unroute(SENDING);
  await page.route(SENDING, (route) => route.abort());
  await send(page, 'mine 2');
  await fieldOf(page).fill('a draft beside it');
  await page.waitForTimeout(500);
  await page.reload();
  await fieldOf(page).waitFor();
  await page.getByText('mine 2').waitFor();
  await hasText(page, 'a draft beside it');
  await page.unroute(SENDING);
  await scene.until(channel, ['mine 1', 'mine 2'], 40);
  await showsExactly(page, ['mine 1', 'mine 2']);
  await page.waitForTimeout(1_000);
  assert.deepEqual(await scene.sent(channel), ['mine 1', 'mine 2']);
});

test('a sender above the rate limit sees an explanation and loses no message', async () => {
  const clock = new TestClock();
  const limited = await Composing.open({ clock, limits: { '*': 0, message: 3 } });
  try {
    const page = await limited.window(limited.ada, limited.general);
    // Shortens Retry-After, which the client obeys, to keep the test fast.
    await page.route(SENDING, async (route) => {
      const response = await route.fetch();
      const late = response.status() === 429 && { 'retry-after': '2' };
      await route.fulfill({ response, headers: { ...response.headers(), ...late } });
    });
    for (const count of [1, 2, 3, 4]) await send(page, `mine ${count}`);
    await page.getByText(/You're sending messages too quickly/).waitFor();
    assert.deepEqual(await limited.sent(limited.general), ['mine 1', 'mine 2', 'mine 3']);
    await page.getByText('mine 4').waitFor();
    clock.advance(60_000);
    await limited.until(limited.general, ['mine 1', 'mine 2', 'mine 3', 'mine 4'], 30);
    await showsExactly(page, ['mine 1', 'mine 2', 'mine 3', 'mine 4']);
  } finally {
    await limited.close();
  }
});
