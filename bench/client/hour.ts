import { readFileSync } from 'node:fs';
import type { CDPSession, Page } from 'playwright-core';
import { report } from '../report.ts';
import { GOAL, HOUR } from './goals.ts';
import { flood, type Stage } from './stage.ts';

/** The private memory of the largest renderer process, in MB. */
async function memoryOf(cdp: CDPSession): Promise<number> {
  const { processInfo } = await cdp.send('SystemInfo.getProcessInfo');
  const sizes = processInfo
    .filter(({ type }) => type === 'renderer')
    .map(({ id }) => {
      const rollup = readFileSync(`/proc/${id}/smaps_rollup`, 'utf8');
      return (
        [...rollup.matchAll(/^Private_\w+:\s+(\d+)/gm)].reduce((sum, [, kb]) => sum + Number(kb), 0) / 1000
      );
    });
  return Math.max(...sizes);
}

/** Measures a tab's memory after an hour of messages. */
export async function hour(
  stage: Stage,
  browser: CDPSession,
  [page, cdp]: [Page, CDPSession],
  path: string,
): Promise<void> {
  await page.goto(path);
  await page.waitForSelector('[data-message]');
  await flood(stage, HOUR, 32);
  await page.waitForTimeout(3000);
  await cdp.send('HeapProfiler.enable');
  await cdp.send('HeapProfiler.collectGarbage');
  await page.waitForTimeout(1000);
  const memory = await memoryOf(browser);
  const { usedSize } = await cdp.send('Runtime.getHeapUsage');
  report(
    `tab memory after ${HOUR.toLocaleString('en')} messages`,
    memory,
    ' MB',
    `≤ ${GOAL.memory} MB`,
    memory <= GOAL.memory,
    `, of which ${(usedSize / 1e6).toFixed(0)} MB in JavaScript`,
  );
  await page.context().close();
}
