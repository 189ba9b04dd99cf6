import type { CDPSession, Page } from 'playwright-core';
import { median, note, quick } from '../report.ts';
import { SLOW_CPU } from './goals.ts';
import { inPage } from './page.ts';

/** The fixed work: laying out DOM rows, and arithmetic. */
const WORK = `(() => {
  const from = performance.now();
  const box = document.createElement('div');
  document.body.append(box);
  for (let line = 0; line < 1000; line++) {
    const text = document.createElement('p');
    text.textContent = 'Line ' + line + ' of a page that has nothing of ours';
    box.append(text);
  }
  let sum = box.offsetHeight;
  for (let count = 0; count < 3e6; count++) sum = (sum * 31 + count) | 0;
  box.remove();
  return performance.now() - from + (sum & 0);
})()`;

/**
 * Measures the machine's current speed with a fixed amount of work, in a page without our code and with the same CPU
 * throttling. This makes runs comparable, because the speed of a machine can vary by half within an hour.
 */
export async function yardstick(visit: () => Promise<[Page, CDPSession]>): Promise<void> {
  const [page, cdp] = await visit();
  await page.goto('/robots.txt');
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: SLOW_CPU });
  const times: number[] = [];
  for (let round = 0; round < (quick ? 5 : 15); round++) times.push(await inPage<number>(page, WORK));
  note(`yardstick: fixed work in an empty page, CPU ${SLOW_CPU} × slower`, median(times), ' ms');
  await page.context().close();
}
