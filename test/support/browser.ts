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

/**
 * Chromium as people use it, or its headless shell: the same engine without the browser window. The shell
 * takes a quarter less CPU time.
 */
export type BrowserKind = 'whole' | 'shell';

const whole = programOf('chromium', 'chromium-browser', 'google-chrome');
const programs: Record<BrowserKind, string | undefined> = {
  whole,
  shell: programOf('chromium-headless-shell') ?? whole,
};

/** The reason why browser tests cannot run here; false if they can. */
export const skip: string | false = whole ? false : 'no chromium here';

/** node:test's `test` and hooks, for files with browser tests. */
export const { test, before, after, beforeEach, afterEach } = testsUnless(skip);

/**
 * Features of Chromium that no test needs. Chromium obeys only the last `--disable-features` switch, so this
 * list includes everything that Playwright disables. The first line is our own: pages for suggestions in the
 * address bar, which take a process per window.
 */
const without = [
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup'],
  ...['AimEnabled', 'AvoidCorsURLLoaderRestartOnRedirect', 'AvoidUnnecessaryBeforeUnloadCheckSync'],
  ...['DestroyProfileOnBrowserClose', 'HttpsFirstBalancedModeAutoEnable', 'HttpsUpgrades', 'LensOverlay'],
  ...['MediaRouter', 'NetworkTimeServiceQuerying', 'OptimizationHints', 'PaintHolding', 'PreconnectToSearch'],
  ...['ThirdPartyStoragePartitioning'],
];
const args = [
  // Containers do not allow the sandbox, and the browser only visits the test's own server.
  '--no-sandbox',
  '--disable-dev-shm-usage',
  // A host name for plain HTTP that browsers do not treat as trustworthy, unlike `localhost`.
  '--host-resolver-rules=MAP palaver.test 127.0.0.1',
  `--disable-features=${without.join()}`,
];

/** The browsers of this process. Its test files use them one after another, each in its own windows. */
const running = new Map<string, Promise<Browser>>();

async function browser(kind: BrowserKind): Promise<Browser> {
  const program = programs[kind] as string;
  const earlier = await running.get(program)?.catch(() => undefined);
  if (earlier?.isConnected()) return earlier;
  // Starts the first browser, or a new one after a crash. A crash fails only the file that was using the browser.
  if (!running.has(program)) atEnd(() => endingUnseen(async () => (await running.get(program))?.close()));
  // Without Playwright's handlers, a signal ends this process immediately, even if it is blocked. The pipe to the
  // browser then closes, which ends the browser.
  const signals = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false };
  const launched = chromium.launch({ executablePath: program, args, ...signals });
  running.set(program, launched);
  return launched;
}

/** A browser that records all requests and errors in its pages. */
export class Surfer {
  /** The URLs requested. */
  readonly requests: string[] = [];
  /** Uncaught exceptions, and errors on the console, such as violations of the Content Security Policy. */
  readonly complaints: string[] = [];
  readonly #browser: Browser;
  readonly #windows = new Set<BrowserContext>();

  /**
   * Opens the headless shell by default. Tests that need features that it lacks, such as notifications, service
   * workers or offline storage, pass `whole`.
   */
  static async open(kind: BrowserKind = 'shell'): Promise<Surfer> {
    return new Surfer(await browser(kind));
  }

  private constructor(browser: Browser) {
    this.#browser = browser;
  }

  /** Opens a window in a new browser context. */
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

  /** Closes all windows, because an open page would react to the following tests' events. */
  async close(): Promise<void> {
    await Promise.all([...this.#windows].map((context) => context.close()));
  }
}
