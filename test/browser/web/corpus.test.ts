import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { skip } from '../../support/browser.ts';
import { type Corpus, openCorpus } from '../../support/corpus.ts';
import { go, panelsOfRoutes } from '../../support/everyPage.ts';
import { payloads } from '../../support/payloads.ts';
import { until } from '../../support/process.ts';
import { WebClient, withoutWorker } from '../../support/webClient.ts';

// Each payload in each kind of text that people control: names, topics, words of welcome, statuses, files, reactions, keys, apps, flows, reasons.

/** What no page may have, wherever it came from. */
const intruders = `[
  ...[...document.querySelectorAll('script:not([src^="/web/"], [src^="/docs/assets/"]), iframe, object, embed, base, math, svg animate, meta[http-equiv], body link, body style, .message-text :is(img, svg, form, meta):not(.icon, .icon *, button *), form[action], [formaction], [srcdoc], [background]')].map((one) => one.outerHTML.slice(0, 120)),
  ...[...document.querySelectorAll('body *')].flatMap((one) => [...one.attributes].filter(({ name, value }) =>
    /^on/i.test(name) || (/^(href|src|action|xlink:href|poster)$/i.test(name) && /^[\\s\\u0000-\\u001f]*(javascript|vbscript|data:text|file):?/i.test(value)) ||
    (/^(src|srcset|poster)$/i.test(name) && /evil/.test(value))).map(({ name, value }) => one.localName + ' ' + name + '=' + value.slice(0, 80))),
  ...(globalThis.hacked === undefined ? [] : ['something ran']),
]`;

describe('texts that try to run something', { skip }, () => {
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
  /** Goes to an address at once, and looks at what is drawn by then. */
  const pass = async (path: string, at = page) => {
    await at.evaluate(
      `history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new Event('palaver-moved'))`,
    );
    await at.waitForTimeout(15);
    await look(path, at);
  };
  /** Shows all rows of lists that are shown in steps, and what is folded. */
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

  test('do nothing as names and topics of channels, in titles, fields and the conversation', async () => {
    const { server, channels } = corpus;
    for (const [at, { id }] of channels.entries()) {
      await pass(`/s/${server.id}/c/${id}`);
      await until(async () => (await page.title()).includes(` ${at}`));
      await look(`channel ${at}`);
    }
    clean();
  });

  test('do nothing in messages, threads, pins, members, search, the inbox, cards and choices', async () => {
    const { server, talk } = corpus;
    const path = `/s/${server.id}/c/${talk.id}`;
    await go(page, path);
    await page.locator('[data-message]').nth(payloads.length).waitFor();
    for (const spoiler of await page.locator('button.markdown-spoiler').all()) await spoiler.click();
    await look('messages');
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
      await page.getByRole('combobox').fill(typed);
      await page.getByRole('option').first().waitFor();
      await look(`the palette, ${typed}`);
    }
    await page.keyboard.press('Escape');
    clean();
  });

  test('do nothing in the settings of a server, in one’s own pages, and in those of the platform', async () => {
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

  test('do nothing in addresses, before and after a sign-in, nor in the docs and their search', async () => {
    const visitor = await client.visit(`/invite/${corpus.invite.id}`, withoutWorker);
    await visitor.getByRole('heading', { level: 1 }).waitFor();
    await look('an invite', visitor);
    for (const [at, payload] of payloads.entries()) {
      const text = encodeURIComponent(payload.toWellFormed());
      for (const path of [
        `/nowhere/${text}`,
        `/sign-in?to=${text}`,
        `/authorize?client_id=${text}&redirect_uri=${text}&state=${text}`,
      ])
        await pass(path, visitor);
      if (at % 6 === 0)
        await pass(`/s/${corpus.server.id}/c/${corpus.channels[at]?.id}?panel=search&q=${text}`);
    }
    await visitor.goto('/docs/');
    const search = visitor.getByRole('searchbox');
    for (const payload of payloads) {
      await search.fill(payload.replaceAll(/\s+/g, ' '));
      await visitor.waitForTimeout(0);
      await look('the search of the docs', visitor);
    }
    for (const payload of payloads.slice(0, 6)) {
      await visitor.goto(`/docs/guides/${encodeURIComponent(payload)}`);
      await look('a missing page of the docs', visitor);
    }
    clean();
  });
});
