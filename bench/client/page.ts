import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';

/** Code for the page, as text: the types of this program know no page. */
export const inPage = <T>(page: Page, code: string): Promise<T> => page.evaluate(code) as Promise<T>;

export const composer = (page: Page) => page.locator('main textarea').first();

/** Throws if something takes more than ten seconds. */
export const within = <T>(work: Promise<T>, words: string): Promise<T> =>
  Promise.race([
    work,
    sleep(10_000, undefined, { ref: false }).then(() => {
      throw new Error(words);
    }),
  ]);

/** Goes to the latest messages, should the channel have opened at what is unread. */
export async function toPresent(page: Page): Promise<void> {
  await page.waitForTimeout(500);
  const present = page.locator('.timeline-present button');
  if ((await present.count()) > 0) await present.click();
  await page.waitForTimeout(500);
}
