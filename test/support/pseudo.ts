import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';

const types: Record<string, string> = { '.css': 'text/css', '.js': 'text/javascript', '.png': 'image/png' };

/**
 * The client in the pseudo-language for tests (`web/pseudo.js`), which no server serves: a separate build in its own
 * folder. Pages get its files instead of the server's.
 */
export class Pseudo {
  readonly #folder: string;

  static async build(): Promise<Pseudo> {
    const folder = mkdtempSync(join(tmpdir(), 'palaver-pseudo-'));
    const program = join(import.meta.dirname, '../../web/build.js');
    await promisify(execFile)(process.execPath, [program, '--pseudo', `--into=${folder}`]);
    return new Pseudo(folder);
  }

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Shows the client in this language the next time the page loads. The window must not have a service worker. */
  async speakIn(page: Page): Promise<void> {
    await page.route(
      ({ pathname }) => pathname.startsWith('/web/') && existsSync(this.#fileOf(pathname)),
      (route) => {
        const { pathname } = new URL(route.request().url());
        return route.fulfill({ path: this.#fileOf(pathname), contentType: types[extname(pathname)] });
      },
    );
    await page.route(
      () => true,
      async (route) => {
        if (!route.request().isNavigationRequest()) return route.fallback();
        const response = await route.fetch();
        const shell = await response.text();
        if (!shell.includes('<div id="app"')) return route.fulfill({ response });
        const name = shell.includes('data-signed-in') ? 'signedIn.html' : 'index.html';
        const { 'content-encoding': _, 'content-length': __, ...headers } = response.headers();
        const body = readFileSync(join(this.#folder, 'ar-XB', name), 'utf8');
        return route.fulfill({ status: response.status(), headers, body });
      },
    );
  }

  close(): Promise<void> {
    return rm(this.#folder, { recursive: true });
  }

  #fileOf(pathname: string): string {
    return join(this.#folder, 'files', pathname.slice('/web/'.length));
  }
}
