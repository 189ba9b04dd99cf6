// @run sqlite, chromium: tests the client, which does not depend on the engine; the headless shell lacks offline storage
import assert from 'node:assert/strict';

import type { Page } from 'playwright-core';
import { PASSWORD } from '../../support/account.ts';
import { after, before, test } from '../../support/browser.ts';
import { fieldIn, Journey, say, seen, showsOnce } from '../../support/journey.ts';
import { until } from '../../support/process.ts';

/** Each window sends this many messages in a row while the server dies. */
const BURST = 8;

/** One person who writes on two devices at the same time. */
let journey: Journey;
let laptop: Page;
let desktop: Page;
before(async () => {
  journey = await Journey.open();
  laptop = await journey.browser(journey.firstLink);
  await laptop.getByLabel('New password').fill(PASSWORD);
  await laptop.keyboard.press('Enter');
  await fieldIn(laptop).waitFor();
  desktop = await journey.browser(laptop.url());
  await desktop.clock.install();
  await journey.signIn(desktop, 'admin');
  await fieldIn(desktop).waitFor();
});
after(() => journey?.close());

/** The server's messages in the channel that start with this text, oldest first. */
const stored = async (beginning: string): Promise<string[]> => {
  const [, serverId, channelId] = /\/s\/([^/]+)\/c\/([^/?]+)/.exec(laptop.url()) ?? [];
  const contents = await laptop.evaluate<string[]>(
    `fetch('/api/v1/channels/${channelId}/messages?limit=100', { headers: { 'palaver-server': '${serverId}' } })
        .then((answer) => answer.json()).then(({ data }) => data.map(({ content }) => content).reverse())`,
  );
  return contents.filter((content) => content.startsWith(beginning));
};
const textsOf = (who: string): string[] =>
  Array.from({ length: BURST }, (_, at) => `${who} ${String(at).padStart(2, '0')}`);

test('no message is lost, duplicated or reordered while both sides write and one is offline for half a minute', async () => {
  await say(laptop, 'calm before');
  await seen('calm before', desktop);
  await desktop.context().setOffline(true);
  const [here, there] = [textsOf('calm sea'), textsOf('calm land')];
  for (let at = 0; at < BURST; at++) {
    await say(desktop, here[at] as string);
    await say(laptop, there[at] as string);
    await desktop.clock.runFor(30_000 / BURST);
  }
  await until(async () => (await stored('calm land')).length === BURST);
  assert.deepEqual(await stored('calm sea'), []);
  await desktop.context().setOffline(false);
  await until(async () => (await stored('calm sea')).length >= BURST);
  assert.deepEqual(await stored('calm sea'), here);
  const all = await stored('calm');
  assert.deepEqual(
    all.filter((one) => one.startsWith('calm land')),
    there,
  );
  for (const page of [laptop, desktop]) await showsOnce(page, all);
});

test('no message is lost or duplicated if the server is killed while both sides send', async () => {
  const [here, there] = [textsOf('storm sea'), textsOf('storm land')];
  for (let at = 0; at < BURST; at++) {
    await Promise.all([say(desktop, here[at] as string), say(laptop, there[at] as string)]);
    if (at === 3) await journey.kill();
  }
  await journey.start();
  await until(async () => (await stored('storm')).length >= BURST * 2, 60_000, 200);
  const all = await stored('storm');
  assert.deepEqual(
    all.filter((one) => one.startsWith('storm sea')),
    here,
  );
  assert.deepEqual(
    all.filter((one) => one.startsWith('storm land')),
    there,
  );
  for (const page of [laptop, desktop]) {
    await page.locator('.message-pending').first().waitFor({ state: 'detached' });
    await showsOnce(page, all);
  }
  // A reload shows the same messages.
  await desktop.reload();
  await showsOnce(desktop, all);
  assert.deepEqual(await stored('storm'), all);
});
