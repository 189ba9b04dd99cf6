import type { CDPSession, Page } from 'playwright-core';
import { quick, report } from '../report.ts';
import { GOAL, SCROLLED } from './goals.ts';
import { inPage, toPresent } from './page.ts';

/** Measures the frame rate while a gesture scrolls up in a large channel. */
export async function scrolling([page, cdp]: [Page, CDPSession], path: string): Promise<void> {
  await page.goto(path);
  await page.waitForSelector('[data-message]');
  await toPresent(page);
  await inPage(
    page,
    `globalThis.frames = []; (function next(at) { frames.push(at); requestAnimationFrame(next); })(performance.now())`,
  );
  const { width, height } = page.viewportSize() as { width: number; height: number };
  const seconds = quick ? 4 : 15;
  await cdp.send('Input.synthesizeScrollGesture', {
    x: width / 2,
    y: height / 2,
    yDistance: seconds * 3000,
    speed: 3000,
    gestureSourceType: 'mouse',
  });
  const at = await inPage<number[]>(page, 'frames');
  const rate = ((at.length - 1) * 1000) / ((at.at(-1) as number) - (at[0] as number));
  const gaps = at.slice(1).map((time, index) => time - (at[index] as number));
  const seen = await inPage<number>(page, `document.querySelectorAll('[data-message]').length`);
  report(
    `scrolling in ${SCROLLED.toLocaleString('en')} messages`,
    rate,
    ' frames/s',
    `≥ ${GOAL.frames}`,
    rate >= GOAL.frames,
    `, longest ${Math.max(...gaps).toFixed(0)} ms, ${seen} rows in the page`,
  );
  await page.context().close();
}
