import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { endingUnseen } from '../../scripts/tests/cpu.ts';
import { atEnd } from './atEnd.ts';
import { programOf } from './programs.ts';
import { testsUnless } from './skipping.ts';

/** Chromium as people have it, and the same engine without the window around the page: it takes a quarter less processor time. */
export type BrowserKind = 'whole' | 'shell';

const whole = programOf('chromium', 'chromium-browser', 'google-chrome');
const programs: Record<BrowserKind, string | undefined> = {
  whole,
  shell: programOf('chromium-headless-shell') ?? whole,
};

/** Why tests with a browser cannot run here; false if they can. */
export const skip: string | false = whole ? false : 'no chromium here';

/** node:test's `test` and hooks, for a file of such tests. */
export const { test, before, after, beforeEach, afterEach } = testsUnless(skip);

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

/** The browsers of this process: its files use them one after the other, each in windows of its own. */
const running = new Map<string, Promise<Browser>>();

async function browser(kind: BrowserKind): Promise<Browser> {
  const program = programs[kind] as string;
  const earlier = await running.get(program)?.catch(() => undefined);
  if (earlier?.isConnected()) return earlier;
  // The first, or one after a crash, which has failed the file that was using it.
  if (!running.has(program)) atEnd(() => endingUnseen(async () => (await running.get(program))?.close()));
  // A signal ends this process at once, also one that never comes to rest, and the browser with it: its pipe closes.
  const signals = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false };
  const launched = chromium.launch({ executablePath: program, args, ...signals });
  running.set(program, launched);
  return launched;
}

/** A browser that notes all that its pages ask for, and all that goes wrong in them. */
export class Surfer {
  /** The addresses that were asked for. */
  readonly requests: string[] = [];
  /** Errors in scripts, and what the policy of a page has stopped. */
  readonly complaints: string[] = [];
  readonly #browser: Browser;
  readonly #windows = new Set<BrowserContext>();

  /** In the shell, unless the question is about more than a page: notifications, what is kept for a visit without a network, a whole story. */
  static async open(kind: BrowserKind = 'shell'): Promise<Surfer> {
    return new Surfer(await browser(kind));
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
