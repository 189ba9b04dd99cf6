import assert from 'node:assert/strict';

import type { Page } from 'playwright-core';
import { after, before, test } from '../../support/browser.ts';
import { rowOf, Talk } from '../../support/conversation.ts';
import { dataOf } from '../../support/expect.ts';
import { signIn, withoutWorker } from '../../support/webClient.ts';
import type { Json } from '../../support/world.ts';

/**
 * The number of unread messages: more than one read of the latest messages returns, so they need a separate
 * read.
 */
const NEW = 70;

/**
 * Records the message below each "New" line that is ever drawn, and the first message in each list drawn without such
 * a line.
 */
const watch = (scope: string) => `
  globalThis.below = new Set();
  globalThis.without = new Set();
  new MutationObserver(() => {
    const line = document.querySelector('${scope} .new-separator');
    const row = document.querySelector('${scope} .timeline-section [data-message]');
    if (line) below.add(line.nextElementSibling.dataset.message);
    else if (row) without.add(row.dataset.message);
  }).observe(document, { subtree: true, childList: true });
`;

let talk: Talk;
before(async () => {
  talk = await Talk.open();
});
after(() => talk?.client.close());

/** Creates a channel or thread with more unread messages than one read returns, and returns its path. */
const unread = async (where: 'channel' | 'thread') => {
  const there = await Talk.open(talk.client);
  let thread: Json | undefined;
  if (where === 'thread') {
    const root = await there.say('ben', 'what hangs on this');
    thread = (await there.as.ada.post('/threads', { messageId: root.id, name: 'a thread' })).data as Json;
  }
  const more = thread ? { threadId: thread.id } : {};
  for (let at = 0; at < 40; at++) await there.say('ada', `before ${at}`, more);
  if (thread) await there.say('ben', 'followed from here on', more);
  await there.readAll('ben');
  const fresh: Json[] = [];
  for (let at = 0; at < NEW; at++) fresh.push(await there.say('ada', `new ${at}`, more));
  const scope = thread ? '.thread-view' : 'main';
  return { there, fresh, scope, path: thread ? `${there.path()}?thread=${thread.id}` : there.path() };
};

const look = async (of: Awaited<ReturnType<typeof unread>>, read: (page: Page) => Promise<unknown>) => {
  const { there, path, scope } = of;
  const page = await there.client.surfer.page({ baseURL: there.client.url, ...withoutWorker });
  await signIn(page.context(), there.client.world, there.ben, there.client.url);
  await page.addInitScript(watch(scope));
  await read(page);
  await page.goto(path);
  return page;
};
const noted = (page: Page, name: 'below' | 'without') => page.evaluate<string[]>(`[...${name}]`);

for (const where of ['channel', 'thread'] as const)
  test(`the "New" line of a ${where} is drawn once, in the right place`, async () => {
    const of = await unread(where);
    const page = await look(of, (page) =>
      page.route(/around=/, async (route) => {
        await new Promise((done) => setTimeout(done, 400));
        await route.continue();
      }),
    );
    await rowOf(page, of.fresh[0]).waitFor();
    await page.locator('.new-separator').waitFor();
    assert.deepEqual(await noted(page, 'below'), [of.fresh[0].id]);
    assert.deepEqual(await noted(page, 'without'), []);
  });

test('a channel that was never opened shows a notice offline, and loads on reconnect', async () => {
  const there = await Talk.open(talk.client);
  const { id: channelId } = dataOf(
    await there.as.ada.post('/channels', { serverId: there.server.id, name: 'never opened' }),
  );
  const said = await there.say('ben', 'what is there', { channelId });
  const page = await there.look('ada');
  const row = page.locator('.channel-row', { hasText: 'never opened' });
  await row.waitFor();
  const places = () =>
    page.evaluate<string>(
      `JSON.stringify([...document.querySelectorAll('.rail, .channel-header, .composer')].map((one) => one.getBoundingClientRect()))`,
    );
  const before = await places();
  await page.context().setOffline(true);
  await page.getByText("You're offline").first().waitFor();
  assert.equal(await places(), before, 'the notice moves nothing');
  await row.click();
  await page.getByText("This channel hasn't been opened on this device yet").waitFor();
  assert.equal(await page.locator('.timeline-loading').count(), 0);
  await page.context().setOffline(false);
  await rowOf(page, said).waitFor();
  await page.context().close();
});

test('a channel whose unread messages fail to load shows its end without a wrong "New" line', async () => {
  const of = await unread('channel');
  const page = await look(of, (page) => page.route(/around=/, (route) => route.abort()));
  await rowOf(page, of.fresh[NEW - 1]).waitFor();
  // Earlier messages and the "New" line still load on scroll.
  const first = rowOf(page, of.fresh[0]);
  for (let step = 0; step < 40 && (await first.count()) === 0; step++) {
    await page.locator('.timeline-scroller').evaluate('(box) => { box.scrollTop = 0; }');
    await page.waitForTimeout(50);
  }
  await page.locator('.new-separator').waitFor();
  assert.deepEqual(await noted(page, 'below'), [of.fresh[0].id]);
});
