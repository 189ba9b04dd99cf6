import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { violationsInBoth, violationsNow } from './axe.ts';
import { go, outOfReach, settled } from './everyPage.ts';
import { type WebClient, withoutWorker } from './webClient.ts';
import type { Json } from './world.ts';

/** Buttons that the crawl skips: they change the session, reload the page, transfer files, or remove what it needs. */
const LEFT_ALONE =
  /^(Sign out|Sign in|Change language|Choose image|Attach files|Upload|Download|Export|Hide these steps)|\(done\)/;
/** Openers that move focus to another element when they close, because the user continues to write there. */
const LEADS_ON: Record<string, RegExp> = { 'button: Emoji': /^TEXTAREA / };
/** Timeouts for a button to open something, in ms. The longer one is for buttons with `aria-haspopup`. */
const NOTHING_MS = 250;
const OPEN_MS = 5_000;

/** Runs in the page. Finds openers again by their text, even if they were re-rendered. */
const asked = `globalThis.crawl ??= {
  layers: () => [...document.querySelectorAll('dialog[open], [popover]:popover-open')].filter((one) => !one.matches('[role=tooltip], .toasts')),
  top() {
    const all = this.layers();
    return all.findLast((one) => one.matches('[popover]')) ?? all.at(-1);
  },
  keyOf: (one) => one.className.split(' ')[0] + ': ' + (one.ariaLabel || one.textContent).trim().replaceAll(/\\S* ?<img[^>]*>/g, '*').replaceAll(/\\d+/g, '0'),
  openers: () => [...document.querySelectorAll('button:not(:disabled, [aria-disabled=true], [role], [type=submit])')]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && one.getBoundingClientRect().width > 1),
  find(key) { return this.openers().find((one) => this.keyOf(one) === key); },
  focus(key) {
    const one = this.find(key);
    one?.focus();
    return one !== undefined && document.activeElement === one;
  },
  focused() {
    const { activeElement: at } = document;
    if (at === null || at === document.body || !at.checkVisibility()) return 'nowhere';
    return at.matches('button') ? this.keyOf(at) : at.tagName + ' ' + (at.ariaLabel ?? at.className ?? at.id);
  },
  items: () => [...crawl.top().querySelectorAll('[role=menuitem]:not([aria-disabled=true]) .menu-item-label')],
  async count(wanted, ms) {
    const end = performance.now() + ms;
    while (this.layers().length !== wanted && performance.now() < end) await new Promise((done) => setTimeout(done, 8));
    return this.layers().length === wanted;
  },
  rest: () => new Promise((done) => setTimeout(done, 40)),
};`;

interface Opener {
  key: string;
  hasPopup: boolean;
  /** True if the opener is part of every page, such as the rail. */
  isShared: boolean;
}

/** Opens everything that buttons and menus on pages open, using the keyboard. For pages without animations. */
class OpenStates {
  /** The buttons and menu items that opened something, each with its area. */
  readonly opened = new Set<string>();
  /** The problems found, each with its button or menu item. */
  readonly found: string[] = [];
  readonly #tried = new Set<string>();
  readonly #page: Page;
  readonly #violationsIn: (page: Page, look: { within: string }) => Promise<string[]>;

  /** With `inBoth`, checks each opened element in both themes, otherwise in the current one. */
  constructor(page: Page, inBoth: boolean) {
    this.#page = page;
    this.#violationsIn = inBoth ? violationsInBoth : violationsNow;
  }

  /**
   * Opens everything on a page of an area. Skips buttons that were already pressed in this area or, if they are part of
   * every page, anywhere.
   */
  async visit(area: string, path: string): Promise<void> {
    await this.#go(path);
    const openers = await this.#ask<Opener[]>(
      `crawl.openers().map((one) => ({ key: crawl.keyOf(one), hasPopup: one.hasAttribute('aria-haspopup'), isShared: !one.closest('main, aside') }))`,
    );
    for (const { key, hasPopup, isShared } of openers) {
      const where = `${isShared ? 'everywhere' : area}, ${key}`;
      if (this.#tried.has(where) || LEFT_ALONE.test(key.replace(/^[^:]*: /, ''))) continue;
      this.#tried.add(where);
      if (!(await this.#press(key, path))) continue;
      if (!(await this.#isAt(1, hasPopup ? OPEN_MS : NOTHING_MS))) {
        if (hasPopup) this.found.push(`${where}: opens nothing`);
        continue;
      }
      const isMenu = await this.#ask<boolean>(`crawl.top().role === 'menu'`);
      const items = isMenu ? await this.#ask<string[]>('crawl.items().map((one) => one.textContent)') : [];
      await this.#look(where, key, 'Escape');
      if (!isMenu && (await this.#press(key, path)) && (await this.#isAt(1, OPEN_MS)))
        await this.#leave(`${where}, by its cross`, key, 'cross');
      for (const item of items)
        if (!LEFT_ALONE.test(item)) await this.#choose(`${where}, ${item}`, key, item, path);
    }
  }

  async #choose(where: string, key: string, item: string, path: string): Promise<void> {
    if (!(await this.#press(key, path)) || !(await this.#isAt(1, OPEN_MS))) return;
    await this.#ask(
      `crawl.items().find((one) => one.textContent === ${JSON.stringify(item)})?.closest('button').focus()`,
    );
    await this.#page.keyboard.press('Enter');
    await this.#ask('crawl.rest()');
    if (await this.#isAt(1, NOTHING_MS)) return this.#look(where, key, 'Escape');
    if ((await this.#ask<string>('crawl.focused()')) === 'nowhere')
      this.found.push(`${where}: the focus is nowhere`);
  }

  /** Checks the opened element, and closes it. */
  async #look(where: string, key: string, way: 'Escape' | 'cross'): Promise<void> {
    this.opened.add(where);
    const page = this.#page;
    await this.#ask(
      `document.querySelectorAll('[data-looked-at]').forEach((one) => delete one.dataset.lookedAt); crawl.top().dataset.lookedAt = ''`,
    );
    if (!(await this.#ask<boolean>('crawl.top().contains(document.activeElement)')))
      this.found.push(`${where}: the focus stays at ${await this.#ask('crawl.focused()')}`);
    const wrong = [
      ...(await outOfReach(page)),
      ...(await this.#violationsIn(page, { within: '[data-looked-at]' })),
    ];
    for (const one of wrong) this.found.push(`${where}: ${one}`);
    await this.#leave(where, key, way);
  }

  /** Closes the opened element, and checks that its opener has the focus again. */
  async #leave(where: string, key: string, way: 'Escape' | 'cross'): Promise<void> {
    const isCrossed =
      way === 'cross' &&
      (await this.#ask<boolean>(
        `(() => { const one = crawl.top().querySelector('.dialog-head button'); one?.click(); return one != null; })()`,
      ));
    if (!isCrossed) await this.#page.keyboard.press('Escape');
    if (!(await this.#isAt(0, OPEN_MS))) this.found.push(`${where}: does not close`);
    await this.#ask('crawl.rest()');
    const focused = await this.#ask<string>('crawl.focused()');
    if (focused !== key && !LEADS_ON[key]?.test(focused))
      this.found.push(`${where}: the focus went to ${focused}`);
  }

  /** Presses the button with this text. Returns false if an earlier action has removed it. */
  async #press(key: string, path: string): Promise<boolean> {
    const isThere = () => this.#ask<boolean>(`crawl.focus(${JSON.stringify(key)})`);
    const isHere = await this.#ask<boolean>(
      `location.pathname + location.search === ${JSON.stringify(path)} && crawl.layers().length === 0`,
    );
    if (!isHere || !(await isThere())) {
      await this.#go('/me/language');
      await this.#go(path);
      if (!(await isThere())) return false;
    }
    await this.#page.keyboard.press('Enter');
    return true;
  }

  async #go(path: string): Promise<void> {
    await go(this.#page, path);
    await this.#page.evaluate(asked);
  }

  #isAt(count: number, ms: number): Promise<boolean> {
    return this.#ask(`crawl.count(${count}, ${ms})`);
  }

  #ask<T>(expression: string): Promise<T> {
    return this.#page.evaluate<T>(expression);
  }
}

interface Crawl {
  client: WebClient;
  person: Json;
  /** The minimum number of buttons and menu items that open something. */
  least: number;
  /** Buttons and menu items that must open something, as in `opened`. */
  opens?: readonly string[];
  size?: { width: number; height: number };
  /** True to check in both themes. */
  inBoth?: boolean;
}

/**
 * Opens everything on these pages or, if a page has a list of sections, on the pages of the sections. Asserts
 * that there are no problems.
 */
export async function crawl(
  pages: readonly string[],
  { client, person, least, opens = [], size = { width: 1280, height: 800 }, inBoth = false }: Crawl,
): Promise<void> {
  const options = { ...withoutWorker, reducedMotion: 'reduce', viewport: size } as const;
  const page = await client.signedIn(person, '/me/language', options);
  page.setDefaultTimeout(10_000);
  await settled(page);
  const states = new OpenStates(page, inBoth);
  for (const path of pages) {
    await go(page, path);
    const sections = await page.evaluate<string[]>(
      `[...document.querySelectorAll('nav a[href^="${path}/"]')].map((one) => one.pathname)`,
    );
    if (sections.length === 0) await states.visit('a channel', path);
    for (const one of sections) await states.visit(one.split('/').slice(-2).join(' '), one);
  }
  assert.deepEqual(states.found, []);
  assert.deepEqual(
    opens.filter((one) => !states.opened.has(one)),
    [],
  );
  assert.ok(states.opened.size >= least, `${states.opened.size}: ${[...states.opened].join('; ')}`);
  await page.context().close();
}
