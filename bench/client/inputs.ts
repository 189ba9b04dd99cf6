import type { CDPSession, Page } from 'playwright-core';
import { quick, report } from '../report.ts';
import { GOAL, SLOW_CPU } from './goals.ts';
import { composer, inPage, toPresent } from './page.ts';
import { type Stage, trickle } from './stage.ts';

/**
 * Measures the time from a key press to the end of its frame in the page while messages arrive. The browser's Event
 * Timing does not work here: without a display, Chromium reports the frame of a key press only with the next larger
 * change, seconds later.
 */
export async function inputs(stage: Stage, [page, cdp]: [Page, CDPSession], path: string): Promise<void> {
  await page.goto(path);
  await page.waitForSelector('[data-message]');
  await toPresent(page);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: SLOW_CPU });
  await inPage(
    page,
    `globalThis.inputs = []; const { port1, port2 } = new MessageChannel(); const waiting = [];
    port1.onmessage = () => { const now = performance.now(); for (const at of waiting.splice(0)) inputs.push(now - at); };
    addEventListener('keydown', ({ timeStamp }) => requestAnimationFrame(() => {
      waiting.push(timeStamp); port2.postMessage(0);
    }), true)`,
  );
  const messages = trickle(stage);
  await composer(page).click();
  const keys = quick ? 60 : 300;
  for (let key = 0; key < keys; key++) await page.keyboard.type('x', { delay: 60 });
  messages.stop();
  await page.waitForTimeout(500);
  const all = (await inPage<number[]>(page, 'inputs')).sort((one, other) => one - other);
  const late = all[Math.floor(all.length * 0.95)] as number;
  report(
    'keystroke to paint, p95, CPU 4 × slower, 20 messages a second',
    late,
    ' ms',
    `≤ ${GOAL.input} ms`,
    late <= GOAL.input,
    `, worst ${all.at(-1)?.toFixed(0)} ms`,
  );
  await page.context().close();
}
