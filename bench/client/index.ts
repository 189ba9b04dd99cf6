import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, type CDPSession, chromium, type Page } from 'playwright-core';
import { programOf } from '../../test/support/programs.ts';
import { untilIdle } from '../processes.ts';
import { publish, say } from '../report.ts';
import { echo } from './echo.ts';
import { firstLoad } from './firstLoad.ts';
import { hour } from './hour.ts';
import { inputs } from './inputs.ts';
import { scrolling } from './scrolling.ts';
import { flood, stage } from './stage.ts';
import { streaming } from './streaming.ts';
import { yardstick } from './yardstick.ts';

/** Measures the web client in Chromium, served by a node on core 0. */
export async function measureClient(): Promise<void> {
  const program = programOf('chromium', 'chromium-browser', 'google-chrome');
  if (!program) throw new Error('Chromium is not installed');
  const folder = mkdtempSync(join(tmpdir(), 'palaver-bench-'));
  const made = await stage(folder);
  await untilIdle(made.node);
  const origin = made.node.url.replace('127.0.0.1', 'localhost');
  const browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox'] });
  const visit = async (person = made.people[0]): Promise<[Page, CDPSession]> => {
    const context: BrowserContext = await browser.newContext({
      baseURL: origin,
      viewport: { width: 1280, height: 800 },
      serviceWorkers: 'block',
    });
    const cookie = {
      name: 'palaver',
      value: person.cookie,
      url: origin,
      httpOnly: true,
      sameSite: 'Strict' as const,
    };
    await context.addCookies([cookie]);
    const page = await context.newPage();
    return [page, await context.newCDPSession(page)];
  };
  const pathOf = (channelId: string) => `/s/${made.serverId}/c/${channelId}`;
  try {
    await flood(made, 60, 4);
    say(`Chromium ${browser.version()}`);
    await yardstick(visit);
    await firstLoad(visit, pathOf(made.busy));
    await inputs(made, await visit(), pathOf(made.busy));
    await streaming(made, browser, await visit(), pathOf(made.busy));
    await scrolling(await visit(), pathOf(made.large));
    await echo(made, await visit(), await visit(made.people[1]), pathOf(made.busy));
    await hour(made, await browser.newBrowserCDPSession(), await visit(), pathOf(made.busy));
  } finally {
    await browser.close();
    await made.node.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  publish('Web client', `Chromium ${browser.version()}`);
}
