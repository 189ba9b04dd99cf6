import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';

/** Evaluates code in the page. The code is a string, because this program's types have no DOM. */
export const inPage = <T>(page: Page, code: string): Promise<T> => page.evaluate(code) as Promise<T>;

export const composer = (page: Page) => page.locator('main textarea').first();

/** Throws after a timeout of ten seconds. */
export const within = <T>(work: Promise<T>, words: string): Promise<T> =>
  Promise.race([
    work,
    sleep(10_000, undefined, { ref: false }).then(() => {
      throw new Error(words);
    }),
  ]);

/** Scrolls to the latest messages, in case the channel opened at the first unread one. */
export async function toPresent(page: Page): Promise<void> {
  await page.waitForTimeout(500);
  const present = page.locator('.timeline-present button');
  if ((await present.count()) > 0) await present.click();
  await page.waitForTimeout(500);
}
