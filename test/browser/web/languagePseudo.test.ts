import assert from 'node:assert/strict';

import type { Page } from 'playwright-core';
import { after, before, test } from '../../support/browser.ts';
import { outOfReach, panelsOfRoutes, settled } from '../../support/everyPage.ts';
import { Pseudo } from '../../support/pseudo.ts';
import { Scene } from '../../support/scene.ts';
import { WebClient, withoutWorker } from '../../support/webClient.ts';
import type { Json } from '../../support/world.ts';

// Tests the client in the pseudo-language: right to left, longer than English, and without Latin letters.

/** Names given by users, programs and the server itself, in Latin letters. */
const names = [
  ...[
    'user-\\d+',
    'agent-\\w+',
    'key-\\w+',
    'localhost',
    'sk_live_\\S+',
    'Admin',
    'Member',
    'Key of \\S+',
    '[a-z]+[A-Za-z]*_\\w+',
  ],
  // Machine-readable terms, which are not translated: operations, event types, commands, formats, units, third-party
  // names.
  ...[
    '[a-z]+[A-Z]\\w*',
    '[a-z]+\\.[a-z]+',
    'https?:\\S+',
    'npx palaver [^”]*',
    'palaver-\\S+',
    '(from|in|after):\\S+',
  ],
  ...['canEditData', 'Ada Lovelace', 'Grace Hopper', 'Chrome\\S*', 'Linux', 'latn', 'ar-XB'],
];

/** Texts with Latin letters that are not names, whether visible or for screen readers only. */
const leaksIn = async (page: Page): Promise<string[]> => {
  const texts = await page.evaluate<string[]>(`(() => {
    const texts = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      if (node.parentElement.checkVisibility() && !node.parentElement.closest('noscript, code, pre, kbd, .markdown-code-language, .search-excerpt')) texts.push(node.data);
    for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-valuetext'])
      for (const one of document.querySelectorAll('[' + name + ']')) if (one.checkVisibility()) texts.push(one.getAttribute(name));
    texts.push(document.title);
    return texts;
  })()`);
  const known = new RegExp(names.map((name) => `(?<![A-Za-z])(${name})(?![A-Za-z])`).join('|'), 'g');
  return [...new Set(texts)].filter((text) => /[A-Za-z]/.test(text.replace(known, '')));
};

let client: WebClient;
let pseudo: Pseudo;
let page: Page;
let person: Json;
let talk: string;
let invite: string;
let paths: string[];
before(async () => {
  [client, pseudo] = await Promise.all([WebClient.open({ signUp: 'open' }), Pseudo.build()]);
  const { world } = client;
  person = await world.user({ name: 'Άντα', platformAdmin: true });
  const other = await world.user({ name: 'غريس' });
  const server = await world.server(person, 'Λιμάνι');
  await world.member(server, other);
  const admin = await world.client(server, ['canAdmin'], person);
  const scene = new Scene({ world, owner: person, server, admin });
  const channel = await scene.channel({ name: 'συζήτηση', description: 'Για όλα.' });
  const message = await scene.make('/messages', { channelId: channel.id, content: 'Καλημέρα `npm start`' });
  await scene.make('/reactions', { messageId: message.id, emoji: '🎉' });
  await scene.make('/pins', { messageId: message.id });
  const thread = await scene.thread({ messageId: message.id, name: 'Σχέδιο' });
  await scene.message({ threadId: thread.id, content: 'Ναι' });
  await scene.message({
    channelId: channel.id,
    content: 'مرحبا\n\n- واحد\n\n```ts\nconst a = 1;\n```\n\n> اقتباس',
  });
  const theirs = await world.client(server, ['canEditData'], other);
  await theirs.post('/messages', { channelId: channel.id, content: `@${person.username} 👋` });
  invite = `/invite/${(await scene.invite({ maxUses: 3 })).id}`;
  await admin.patch(`/servers/${server.id}`, { description: 'Για πλοία!', welcome: 'Καλώς ήρθες!' });
  const app = await scene.app({ name: 'Καιρός!', description: 'Λέει τον καιρό.', publisherName: 'Αέρας!' });
  await scene.make('/apps/submit', { id: app.id });
  await scene.make('/app-installs', { appId: app.id, config: {} });
  await scene.secret({ name: 'Κλειδί!' });
  await scene.webhook({ name: 'Αγκίστρι!' });
  await scene.role({ name: 'Ρόλος!' });
  const banned = await world.user({ name: 'Κακός!' });
  await scene.make('/server-bans', { userId: banned.id, reason: 'Φωνάζει.' });
  const home = `/s/${server.id}`;
  talk = `${home}/c/${channel.id}`;
  paths = [
    talk,
    `${talk}?thread=${thread.id}`,
    ...panelsOfRoutes().map((panel) => `${talk}?panel=${panel}${panel === 'search' ? '&q=Καλημέρα' : ''}`),
  ];
  page = await client.signedIn(person, 'about:blank', {
    ...withoutWorker,
    reducedMotion: 'reduce',
    viewport: { width: 1280, height: 800 },
  });
  await pseudo.speakIn(page);
  for (const start of ['/me', '/platform', `${home}/settings`]) {
    await page.goto(start);
    await settled(page);
    const links = await page.evaluate<string[]>(
      `[...document.querySelectorAll('nav a[href^="${start}/"]')].map((one) => one.pathname)`,
    );
    assert.ok(links.length >= 6, `${start} leads to ${links}`);
    paths.push(...links);
  }
});
after(async () => {
  await Promise.all([client?.close(), pseudo?.close()]);
});

/**
 * Finds Greek text (left-to-right) without an explicit direction, which puts its punctuation at the wrong end, and text
 * cut off at the edge of its box.
 */
const turned = () =>
  page.evaluate<string[]>(`(() => {
      const found = [];
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const box = node.parentElement;
        if (!/\\p{Script=Greek}/u.test(node.data) || !box.checkVisibility() || box.closest('.only-read')) continue;
        const { direction, unicodeBidi } = getComputedStyle(box);
        if (direction !== 'ltr' && unicodeBidi !== 'plaintext') found.push('turned: ' + node.data + ' in .' + box.className);
      }
      const facts = document.querySelectorAll('.setting-facts');
      for (const row of facts)
        for (const one of row.querySelectorAll('bdi'))
          if (one.getBoundingClientRect().right > row.getBoundingClientRect().right - 15) found.push('cut off: ' + one.textContent);
      return found;
    })()`);

/** Navigates like a link in the client, without a page load. */
const go = async (path: string) => {
  await page.evaluate(
    `history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new Event('palaver-moved'))`,
  );
  await settled(page);
};

/** The problems found, by kind. A single visit to each page checks for all of them. */
const found = { texts: [] as string[], turned: [] as string[], reach: [] as string[] };
const look = async (path: string) => {
  const name = path.replace(/\w+_\w+|[0-9a-f-]{36}/g, '…');
  await go(path);
  for (const text of await leaksIn(page)) found.texts.push(`${name}: ${text}`);
  for (const one of await turned()) found.turned.push(`${name}: ${one}`);
  for (const width of [390, 820, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await settled(page);
    for (const one of await outOfReach(page)) found.reach.push(`${name}, ${width} px: ${one}`);
  }
};

test('every text on the pages comes from web/strings', async () => {
  for (const path of paths) await look(path);
  const visitor = await client.visit('about:blank', withoutWorker);
  await pseudo.speakIn(visitor);
  for (const path of ['/', '/sign-in', '/sign-up', '/reset', '/welcome', '/device', '/nowhere']) {
    await visitor.goto(path);
    await settled(visitor);
    for (const text of await leaksIn(visitor)) found.texts.push(`${path}: ${text}`);
  }
  assert.deepEqual(found.texts, []);
});

test('user content keeps its own direction and is not cut off', async () => {
  await go(invite);
  for (const one of await turned()) found.turned.push(`${invite}: ${one}`);
  assert.deepEqual(found.turned, []);
});

test('every control can be reached at every window width', () => {
  assert.deepEqual(found.reach, []);
});

test('the layout is mirrored: columns, panels, arrows, lists; code and other scripts keep their direction', async () => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await go(`${talk}?panel=members`);
  const boxOf = async (selector: string) => {
    const box = await page.locator(selector).first().boundingBox();
    assert.ok(box, selector);
    return { left: box.x, right: box.x + box.width };
  };
  const parts = ['.rail', '.channel-list', '.composer-field', '.side-panel'];
  const boxes = await Promise.all(parts.map(boxOf));
  for (const [at, box] of boxes.slice(1).entries())
    assert.ok(box.right <= (boxes[at]?.left ?? 0) + 1, `${parts[at + 1]} is left of ${parts[at]}`);

  const styleOf = (selector: string, name: string) =>
    page.evaluate<string>(`getComputedStyle(document.querySelector(${JSON.stringify(selector)})).${name}`);
  const arabic = '.markdown:has(ul)';
  assert.deepEqual(
    await Promise.all([
      styleOf(`${arabic} ul`, 'direction'),
      styleOf(`${arabic} blockquote`, 'direction'),
      styleOf(`${arabic} pre`, 'direction'),
      styleOf('.markdown:has(p > code)', 'direction'),
      styleOf('.composer-send .icon, .composer .icon-directed', 'transform'),
    ]),
    ['rtl', 'rtl', 'ltr', 'ltr', 'matrix(-1, 0, 0, 1, 0, 0)'],
  );

  const handle = page.locator('.side-panel-edge');
  const before = (await boxOf('.side-panel')).right;
  await handle.focus();
  await page.keyboard.press('ArrowRight');
  assert.ok(
    (await boxOf('.side-panel')).right > before,
    'an arrow moves the edge of the panel where it points',
  );
});
