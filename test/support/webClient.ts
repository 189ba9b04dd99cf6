import assert from 'node:assert/strict';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { Browser } from './account.ts';
import { type BrowserKind, Surfer } from './browser.ts';
import { type Json, World, type WorldOptions } from './world.ts';

/**
 * For windows that do not depend on the service worker, which would fetch and cache all of the client's files for
 * each window.
 */
export const withoutWorker: BrowserContextOptions = { serviceWorkers: 'block' };

/** Signs in a user of the world in all windows of a browser context, at the address that people use. */
export async function signIn(context: BrowserContext, world: World, user: Json, url: string): Promise<void> {
  const { cookie } = await Browser.of(world, user);
  const [name = '', value = ''] = cookie.split('=');
  await context.addCookies([{ name, value, url, httpOnly: true, sameSite: 'Strict' }]);
}

/** The web client in Chromium, served by its own world. `npm test` has built it. */
export class WebClient {
  readonly world: World;
  readonly surfer: Surfer;
  /** The address that people use. Browsers treat it as a secure context, with service workers and passkeys. */
  readonly url: string;

  static async open(options: WorldOptions = {}, kind?: BrowserKind): Promise<WebClient> {
    const world = await World.open(options);
    return new WebClient(
      world,
      await Surfer.open(kind).catch(async (error) => {
        await world.close();
        throw error;
      }),
    );
  }

  private constructor(world: World, surfer: Surfer) {
    this.world = world;
    this.surfer = surfer;
    this.url = world.url.replace('127.0.0.1', 'localhost');
  }

  /** Opens a new window without a session at this path. */
  async visit(path = '/', options: BrowserContextOptions = {}): Promise<Page> {
    const page = await this.surfer.page({ baseURL: this.url, ...options });
    await page.goto(path);
    return page;
  }

  /** Opens a new window at this path, in which this user of the world is signed in. */
  async signedIn(user: Json, path = '/', options: BrowserContextOptions = {}): Promise<Page> {
    const page = await this.surfer.page({ baseURL: this.url, ...options });
    await signIn(page.context(), this.world, user, this.url);
    await page.goto(path);
    return page;
  }

  /** Asserts that no window had an error, violated its content security policy, or sent a request to another host. */
  assertSound(): void {
    // Browsers log each error response, including the one that tells a page that nobody is signed in. The windows of tests
    // are incognito, where Chromium has no push service.
    const expected =
      /^Failed to load resource: .* status of 4\d\d |does not support the Push API in incognito/;
    assert.deepEqual(
      this.surfer.complaints.filter((line) => !expected.test(line)),
      [],
    );
    assert.deepEqual(
      this.surfer.requests.filter(
        (address) => !address.startsWith(this.url) && !/^(blob|data):/.test(address),
      ),
      [],
    );
  }

  async close(): Promise<void> {
    await this.surfer.close();
    await this.world.close();
  }
}
