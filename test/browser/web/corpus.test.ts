import assert from 'node:assert/strict';

import type { Page } from 'playwright-core';
import { after, before, test } from '../../support/browser.ts';
import { type Corpus, intruders, openCorpus } from '../../support/corpus.ts';
import { go, panelsOfRoutes } from '../../support/everyPage.ts';
import { until } from '../../support/process.ts';
import { WebClient, withoutWorker } from '../../support/webClient.ts';

// Puts payloads into every kind of text that people control: names, topics, welcome texts, statuses, files,
// reactions, keys, apps, flows, reasons.

let client: WebClient;
let corpus: Corpus;
let page: Page;
before(async () => {
  client = await WebClient.open({ quotas: { '*': 0 }, signUp: 'open' });
  corpus = await openCorpus(client.world);
  page = await client.signedIn(corpus.person, '/me/language', {
    ...withoutWorker,
    reducedMotion: 'reduce',
    viewport: { width: 1280, height: 800 },
  });
});
after(() => client?.close());

const found: string[] = [];
const look = async (where: string, at = page) => {
  for (const one of await at.evaluate<string[]>(intruders)) found.push(`${where}: ${one}`);
};
/** Navigates, and checks what is drawn within the first 15 ms. */
const pass = async (path: string, at = page) => {
  await at.evaluate(
    `history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new Event('palaver-moved'))`,
  );
  await at.waitForTimeout(15);
  await look(path, at);
};
/** Presses "Show more" or "Show older" up to four times, and opens collapsed sections. */
const showAll = async () => {
  for (let turn = 0; turn < 4; turn++) {
    const more = await page.evaluate<boolean>(`(() => {
        for (const one of document.querySelectorAll('main details')) one.open = true;
        const more = [...document.querySelectorAll('button')].find((one) => /^Show (more|older)/.test(one.textContent) && !one.disabled);
        more?.click();
        return more !== undefined;
      })()`);
    await page.waitForTimeout(50);
    if (!more) return;
  }
};
const clean = () => {
  assert.deepEqual(found.splice(0), []);
  client.assertSound();
};

test('payloads stay inert as channel names and topics, in titles, fields and the conversation', async () => {
  const { server, channels } = corpus;
  for (const [at, { id }] of channels.entries()) {
    await pass(`/s/${server.id}/c/${id}`);
    await until(async () => (await page.title()).includes(` ${at}`));
    await look(`channel ${at}`);
  }
  clean();
});

test('payloads stay inert in messages, threads, pins, members, search, the inbox, cards and choices', async () => {
  const { server, talk, messages } = corpus;
  const path = `/s/${server.id}/c/${talk.id}`;
  // Each page also shows the neighbouring payloads.
  for (const { id } of messages.filter((_, at) => at % 16 === 8)) {
    await go(page, `${path}/m/${id}`);
    await page.evaluate("document.querySelectorAll('button.markdown-spoiler').forEach((one) => one.click())");
    await look(id);
  }
  for (const panel of panelsOfRoutes()) {
    await go(page, `${path}?panel=${panel}${panel === 'search' ? '&q=hacked' : ''}`);
    await showAll();
    await look(panel);
  }
  await page.locator('.message-author').first().click();
  await page.getByRole('dialog').waitFor();
  await look('a card');
  await page.keyboard.press('Escape');
  const field = page.getByRole('textbox', { name: /^Message/ });
  for (const typed of ['@<', '#<', '@"', '#[']) {
    await field.fill('');
    await field.pressSequentially(typed);
    await page.waitForTimeout(60);
    await look(`choices for ${typed}`);
  }
  await field.fill('');
  await page.keyboard.press('Control+k');
  for (const typed of ['<', 'img', '[x]']) {
    await page.getByRole('dialog').getByRole('combobox').fill(typed);
    await page.getByRole('dialog').getByRole('option').first().waitFor();
    await look(`the palette, ${typed}`);
  }
  await page.keyboard.press('Escape');
  clean();
});

test('payloads stay inert in server settings, account pages and platform pages', async () => {
  for (const start of [`/s/${corpus.server.id}/settings`, '/me', '/platform']) {
    await go(page, start);
    const sections = await page.evaluate<string[]>(
      `[...document.querySelectorAll('nav a[href^="${start}/"]')].map((one) => one.pathname)`,
    );
    assert.ok(sections.length >= 6, start);
    for (const section of sections) {
      await go(page, section);
      await showAll();
      await look(section);
    }
  }
  clean();
});
