import assert from 'node:assert/strict';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { PASSWORD } from './account.ts';
import { Surfer } from './browser.ts';
import { type Running, Stage } from './process.ts';

/** The program on an empty data folder, and people who each use it in their own browser. */
export class Journey {
  readonly surfer: Surfer;
  readonly #stage: Stage;
  readonly #folder: string;
  #running: Running;

  static async open(): Promise<Journey> {
    const stage = new Stage();
    try {
      const folder = stage.folder();
      const running = await stage.start(folder);
      return new Journey(await Surfer.open('whole'), stage, folder, running);
    } catch (error) {
      await stage.close();
      throw error;
    }
  }

  private constructor(surfer: Surfer, stage: Stage, folder: string, running: Running) {
    this.surfer = surfer;
    this.#stage = stage;
    this.#folder = folder;
    this.#running = running;
  }

  get url(): string {
    return this.#running.url;
  }

  /** The link to create the operator's account, as printed on the first start. */
  get firstLink(): string {
    return /http\S+link_plv_\w+/.exec(this.#running.output())?.[0] as string;
  }

  /** Opens a new browser at an address. */
  async browser(address: string, options: BrowserContextOptions = {}): Promise<Page> {
    const page = await this.surfer.page({
      baseURL: this.url,
      viewport: { width: 1280, height: 800 },
      ...options,
    });
    await page.goto(address);
    return page;
  }

  /** Signs a user in with the form on a page. */
  async signIn(page: Page, username: string): Promise<void> {
    await page.getByLabel('Username or email address').fill(username);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.keyboard.press('Enter');
  }

  /** Kills the program, as a power failure would. */
  async kill(): Promise<void> {
    await this.#running.end('SIGKILL');
  }

  /** Restarts the program at the same address. */
  async start(): Promise<void> {
    const before = this.url;
    this.#running = await this.#stage.start(this.#folder, { args: ['--port', new URL(before).port] });
    assert.equal(this.url, before);
  }

  async close(): Promise<void> {
    await this.surfer.close();
    await this.#stage.close();
  }
}

/** Returns the open channel's composer. */
export const fieldIn = (page: Page): Locator => page.locator('main .composer-field');

/** Writes a message and sends it. */
export async function say(page: Page, text: string): Promise<void> {
  await fieldIn(page).fill(text);
  await fieldIn(page).press('Enter');
}

export const messageIn = (page: Page, text: string): Locator =>
  page.locator('main [data-message]').filter({ hasText: text });

/** Waits until all pages show this message. */
export async function seen(text: string, ...pages: Page[]): Promise<void> {
  await Promise.all(pages.map((page) => messageIn(page, text).waitFor()));
}

/** Waits until a page shows these texts in this order, each exactly once. */
export async function showsOnce(page: Page, texts: readonly string[]): Promise<void> {
  const found = () =>
    page
      .locator('main .timeline [data-message]')
      .allInnerTexts()
      .then((rows) => rows.flatMap((row) => texts.filter((text) => row.includes(text))));
  const end = Date.now() + 15_000;
  while (String(await found()) !== String(texts) && Date.now() < end) await page.waitForTimeout(100);
  assert.deepEqual(await found(), texts);
}

/** Presses a key until the element has the focus. */
export async function pressUntil(page: Page, key: string, element: Locator, most = 40): Promise<void> {
  for (let press = 0; press < most; press++) {
    if (await element.evaluate((one) => one.matches(':focus'))) return;
    await page.keyboard.press(key);
  }
  assert.fail(`${key} does not lead to ${element}`);
}
