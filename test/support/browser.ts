import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { programOf } from './programs.ts';

const program = programOf('chromium', 'chromium-browser', 'google-chrome');

/** Why tests with a browser cannot run here; false if they can. */
export const skip: string | false = program ? false : 'no chromium here';

/** A browser that notes all that its pages ask for, and all that goes wrong in them. */
export class Surfer {
  /** The addresses that were asked for. */
  readonly requests: string[] = [];
  /** Errors in scripts, and what the policy of a page has stopped. */
  readonly complaints: string[] = [];
  readonly #browser: Browser;

  static async open(): Promise<Surfer> {
    // Without its sandbox, which a container does not allow: it visits the test's own server alone.
    const args = ['--no-sandbox', '--disable-dev-shm-usage'];
    return new Surfer(await chromium.launch({ executablePath: program as string, args }));
  }

  private constructor(browser: Browser) {
    this.#browser = browser;
  }

  /** Opens a window of its own, without anything from earlier ones. */
  async page(options: BrowserContextOptions = {}): Promise<Page> {
    const context: BrowserContext = await this.#browser.newContext(options);
    const page = await context.newPage();
    page.on('request', (request) => this.requests.push(request.url()));
    page.on('pageerror', (error) => this.complaints.push(error.message));
    page.on('console', (line) => {
      if (line.type() === 'error') this.complaints.push(line.text());
    });
    return page;
  }

  close(): Promise<void> {
    return this.#browser.close();
  }
}
