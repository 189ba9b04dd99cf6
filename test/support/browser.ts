import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { endingUnseen } from '../../scripts/cpu.ts';
import { atEnd } from './atEnd.ts';
import { programOf } from './programs.ts';

const program = programOf('chromium', 'chromium-browser', 'google-chrome');

/** Why tests with a browser cannot run here; false if they can. */
export const skip: string | false = program ? false : 'no chromium here';

/**
 * Parts of Chromium that no test wants. The last of these switches counts, so it has all that Playwright disables, too; the
 * first line is ours: pages for suggestions under the address, in a process of their own for each window.
 */
const without = [
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup'],
  ...['AimEnabled', 'AvoidCorsURLLoaderRestartOnRedirect', 'AvoidUnnecessaryBeforeUnloadCheckSync'],
  ...['DestroyProfileOnBrowserClose', 'HttpsFirstBalancedModeAutoEnable', 'HttpsUpgrades', 'LensOverlay'],
  ...['MediaRouter', 'NetworkTimeServiceQuerying', 'OptimizationHints', 'PaintHolding', 'PreconnectToSearch'],
  ...['ThirdPartyStoragePartitioning'],
];
const args = [
  // A container does not allow the sandbox, and the browser visits the test's own server alone.
  '--no-sandbox',
  '--disable-dev-shm-usage',
  `--disable-features=${without.join()}`,
];

/** The browser of this process: its files use it one after the other, each in windows of its own. */
let running: Promise<Browser> | undefined;

async function browser(): Promise<Browser> {
  const earlier = await running?.catch(() => undefined);
  if (earlier?.isConnected()) return earlier;
  // The first, or one after a crash, which has failed the file that was using it.
  if (running === undefined) atEnd(async () => endingUnseen(async () => (await running)?.close()));
  // A signal ends this process at once, also one that never comes to rest, and the browser with it: its pipe closes.
  const signals = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false };
  running = chromium.launch({ executablePath: program as string, args, ...signals });
  return running;
}

/** A browser that notes all that its pages ask for, and all that goes wrong in them. */
export class Surfer {
  /** The addresses that were asked for. */
  readonly requests: string[] = [];
  /** Errors in scripts, and what the policy of a page has stopped. */
  readonly complaints: string[] = [];
  readonly #browser: Browser;
  readonly #windows = new Set<BrowserContext>();

  static async open(): Promise<Surfer> {
    return new Surfer(await browser());
  }

  private constructor(browser: Browser) {
    this.#browser = browser;
  }

  /** Opens a window of its own, without anything from earlier ones. */
  async page(options: BrowserContextOptions = {}): Promise<Page> {
    const context: BrowserContext = await this.#browser.newContext(options);
    this.#windows.add(context);
    context.once('close', () => this.#windows.delete(context));
    const page = await context.newPage();
    page.on('request', (request) => this.requests.push(request.url()));
    page.on('pageerror', (error) => this.complaints.push(error.message));
    page.on('console', (line) => {
      if (line.type() === 'error') this.complaints.push(line.text());
    });
    return page;
  }

  /** Closes all windows: an open page takes part in all that happens, in the tests that follow, too. */
  async close(): Promise<void> {
    await Promise.all([...this.#windows].map((context) => context.close()));
  }
}
