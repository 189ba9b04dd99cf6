import type { CDPSession, Page } from 'playwright-core';
import { median, report } from '../report.ts';
import { ECHOES, GOAL } from './goals.ts';
import { composer, inPage, toPresent, within } from './page.ts';
import type { Stage } from './stage.ts';

/** Measures the time from Enter in one browser to the paint in another. */
export async function echo(
  stage: Stage,
  [one]: [Page, CDPSession],
  [other]: [Page, CDPSession],
  path: string,
): Promise<void> {
  for (const page of [one, other]) {
    await page.goto(path);
    await page.waitForSelector('[data-message]');
    await toPresent(page);
  }
  await composer(one).click();
  const times: number[] = [];
  for (let round = 0; round < ECHOES; round++) {
    const text = `echo ${round} of ${stage.busy.slice(-6)}`;
    await one.keyboard.type(text);
    const seen = inPage<number>(
      other,
      `new Promise((done) => { const observer = new MutationObserver(() => {
        if (!document.querySelector('.timeline')?.textContent.includes(${JSON.stringify(text)})) return;
        observer.disconnect(); requestAnimationFrame(() => done(Date.now()));
      }); observer.observe(document.body, { childList: true, subtree: true, characterData: true }); })`,
    );
    const from = Date.now();
    await one.keyboard.press('Enter');
    times.push((await within(seen, `"${text}" did not arrive`)) - from);
  }
  const middle = median(times);
  report(
    'Enter to paint in another browser',
    middle,
    ' ms',
    `≤ ${GOAL.echo} ms`,
    middle <= GOAL.echo,
    `, worst ${Math.max(...times)} ms`,
  );
  await one.context().close();
  await other.context().close();
}
