import type { CDPSession, Page } from 'playwright-core';
import { median, quick, report } from '../report.ts';
import { GOAL, SLOW_CPU } from './goals.ts';
import { inPage } from './page.ts';

/** Playwright leaves the page alone for this many ms: its scripts take a tenth of a second on a slow CPU. */
const QUIET_MS = 4_000;

/** Measures the size of all scripts loaded before the first message is shown, and the largest contentful paint. */
export async function firstLoad(visit: () => Promise<[Page, CDPSession]>, path: string): Promise<void> {
  const scripts = await scriptsOf(visit, path);
  const paints: number[] = [];
  for (let round = 0; round < (quick ? 2 : 5); round++) {
    const [page, cdp] = await visit();
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: SLOW_CPU });
    await page.goto(path);
    await page.waitForTimeout(QUIET_MS);
    await page.waitForSelector('[data-message]');
    paints.push(
      await inPage<number>(
        page,
        `new Promise((done) => new PerformanceObserver((list) => done(list.getEntries().at(-1).startTime / 1000))
          .observe({ type: 'largest-contentful-paint', buffered: true }))`,
      ),
    );
    await page.context().close();
  }
  const paint = median(paints);
  report(
    'JavaScript loaded before the first message is shown',
    scripts,
    ' KB',
    `≤ ${GOAL.script} KB`,
    scripts <= GOAL.script,
  );
  report('largest contentful paint, CPU 4 × slower', paint, ' s', `≤ ${GOAL.paint} s`, paint <= GOAL.paint);
}

/** The size in KB of all scripts transferred until half a second after the first row is shown. */
async function scriptsOf(visit: () => Promise<[Page, CDPSession]>, path: string): Promise<number> {
  const [page, cdp] = await visit();
  const types = new Map<string, string>();
  let bytes = 0;
  cdp.on('Network.responseReceived', ({ requestId, type }) => types.set(requestId, type));
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (types.get(requestId) === 'Script') bytes += encodedDataLength;
  });
  await cdp.send('Network.enable');
  await page.goto(path);
  await page.waitForSelector('[data-message]');
  await page.waitForTimeout(500);
  await page.context().close();
  return bytes / 1000;
}
