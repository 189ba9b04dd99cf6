import assert from 'node:assert/strict';
import { join } from 'node:path';

import type { Page } from 'playwright-core';
import { Browser } from '../../support/account.ts';
import { after, before, test } from '../../support/browser.ts';
import { rowOf, Talk } from '../../support/conversation.ts';
import { dataOf } from '../../support/expect.ts';
import { fieldIn, messageIn, say, showsOnce } from '../../support/journey.ts';
import { until } from '../../support/process.ts';
import { repeatLatest } from '../../support/repeated.ts';
import { Route } from '../../support/route.ts';
import { withoutWorker } from '../../support/webClient.ts';
import type { Json } from '../../support/world.ts';

const MISSED = 5_000;
/**
 * The number of seconds after waking within which everything must be up to date. A dead connection times out after 20
 * seconds.
 */
const MOST_SECONDS = 60;
/**
 * The longest time, in ms, that the page may be unresponsive. The limit is generous, because the machine may be
 * busy.
 */
const FROZEN_MS = 1_000;

/** Records the longest task in the page. */
const watched = `globalThis.longest = 0; (() => {
  let last = performance.now();
  const tick = () => { const now = performance.now(); longest = Math.max(longest, now - last); last = now; setTimeout(tick, 4); };
  tick();
})()`;

let talk: Talk;
const route = new Route();
/** The URL of the proxy whose connections die. */
let asleep = '';
before(async () => {
  talk = await Talk.open();
});
after(async () => {
  await talk?.client.close();
  route.close();
});

/** Returns a list to which the page's reads of whole channels and snapshots are added from now on. */
const countReads = (page: Page): string[] => {
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (/\/(view|snapshot|messages)$/.test(pathname) && request.method() === 'GET') asked.push(pathname);
  });
  return asked;
};

test('a machine that slept for ten minutes while its stream died shows every message once and in order', async (t) => {
  const there = await Talk.open(talk.client);
  asleep = (await route.open(there.client.url)).replace(/\/$/, '');
  const page = await there.client.signedIn(there.ada, '/me', { ...withoutWorker, baseURL: asleep });
  await page.clock.install();
  await page.goto(there.path());
  await there.say('ben', 'before the night');
  await showsOnce(page, ['before the night']);
  // The connections die without being closed.
  route.silence();
  const said: string[] = [];
  for (let at = 0; at < 12; at++) {
    said.push(`in the night ${String(at).padStart(2, '0')}`);
    await there.say(at % 2 === 0 ? 'ben' : 'bot', said.at(-1) as string);
  }
  const asked = countReads(page);
  await page.clock.fastForward(600_000);
  // The first connection may be dead, and then has to time out first.
  let patience = 0;
  while ((await messageIn(page, 'in the night').count()) < said.length && patience++ < MOST_SECONDS)
    await page.clock.runFor(1_000);
  await showsOnce(page, ['before the night', ...said]);
  t.diagnostic(`${patience} s after it woke`);
  await say(page, 'in the morning');
  await showsOnce(page, ['before the night', ...said, 'in the morning']);
  // The stream has resumed without reloading anything.
  assert.deepEqual(asked, []);
  await page.context().close();
});

test('thousands of missed events do not freeze the page, which shows the current state', async () => {
  const there = await Talk.open(talk.client);
  const edited = await there.say('ben', 'as it was');
  await there.readAll('ada');
  const page = await there.look('ada');
  await rowOf(page, edited).waitFor();
  await page.context().setOffline(true);
  await page.getByText("You're offline").waitFor();
  dataOf(await there.as.ben.patch(`/messages/${edited.id}`, { content: 'in between' }));
  repeatLatest(join(there.client.world.folder, 'palaver.db'), there.server.id, MISSED);
  dataOf(await there.as.ben.patch(`/messages/${edited.id}`, { content: 'as it is' }));
  const last = await there.say('bot', 'and one more');
  await page.evaluate(watched);
  await page.context().setOffline(false);
  await rowOf(page, edited).getByText('as it is').waitFor();
  await rowOf(page, last).waitFor();
  const longest = await page.evaluate<number>('longest');
  assert.ok(longest < FROZEN_MS, `${Math.round(longest)} ms`);
  await fieldIn(page).pressSequentially('alive');
  assert.equal(await fieldIn(page).inputValue(), 'alive');
  await page.context().close();
});

test('unread counts match the server after a network failure, and read messages stay read after a reload', async () => {
  const there = await Talk.open(talk.client);
  const other: Json = dataOf(
    await there.as.ada.post('/channels', { serverId: there.server.id, name: 'elsewhere' }),
  );
  await there.readAll('ada');
  const page = await there.look('ada');
  const row = page.locator('.channel-row', { hasText: 'elsewhere' });
  await page.context().setOffline(true);
  for (let at = 0; at < 3; at++) await there.say('ben', `news ${at}`, { channelId: other.id });
  await page.context().setOffline(false);
  await page.locator('.channel-row-news', { hasText: 'elsewhere' }).waitFor();
  assert.match((await row.getAttribute('aria-label')) ?? '', /3 unread/);
  await row.click();
  await page.getByText('news 2').waitFor();
  await page.locator('.channel-row-news').waitFor({ state: 'detached' });
  const person = await Browser.of(there.client.world, there.ada, there.server);
  const counted = async () => {
    const { channels } = dataOf(await person.get(`/reading?channelIds=${other.id}`));
    return channels.find(({ channelId }: Json) => channelId === other.id).unread;
  };
  await until(async () => (await counted()) === 0);
  await page.reload();
  await page.getByText('news 2').waitFor();
  assert.equal(await page.locator('.channel-row-news, .new-separator').count(), 0);
  await page.context().close();
});

test('a draft written offline is kept and synced to another device', async () => {
  const there = await Talk.open(talk.client);
  dataOf(await there.as.ada.post('/channels', { serverId: there.server.id, name: 'aside' }));
  const [laptop, phone] = [await there.look('ada'), await there.look('ada')];
  await laptop.context().setOffline(true);
  await fieldIn(laptop).fill('a thought on the train');
  await laptop.getByRole('link', { name: 'aside' }).click();
  await laptop.getByLabel('Message #aside').waitFor();
  assert.equal(await fieldIn(laptop).inputValue(), '');
  // A channel that was never loaded shows a notice, and loads automatically once the connection is back.
  await laptop.getByText("This channel hasn't been opened on this device yet").waitFor();
  await laptop.context().setOffline(false);
  await laptop.getByText('This is the beginning of #aside').waitFor();
  await laptop.getByRole('button', { name: 'Write the first message' }).click();
  await until(async () => (await laptop.locator('.composer-field:focus').count()) === 1);
  await laptop.context().setOffline(true);
  await laptop.getByRole('link', { name: there.channel.name }).click();
  await laptop.getByLabel(`Message #${there.channel.name}`).waitFor();
  assert.equal(await fieldIn(laptop).inputValue(), 'a thought on the train');
  await laptop.context().setOffline(false);
  await until(async () => (await fieldIn(phone).inputValue()) === 'a thought on the train', 40_000);
  await laptop.reload();
  await fieldIn(laptop).waitFor();
  await until(async () => (await fieldIn(laptop).inputValue()) === 'a thought on the train');
  for (const page of [laptop, phone]) await page.context().close();
});

test('the page reports no error and makes no requests to other hosts', () => {
  const { complaints, requests } = talk.client.surfer;
  complaints.splice(
    0,
    complaints.length,
    ...complaints.filter((line) => !/ERR_(FAILED|INTERNET)/.test(line)),
  );
  requests.splice(0, requests.length, ...requests.filter((one) => !one.startsWith(asleep)));
  talk.client.assertSound();
});
