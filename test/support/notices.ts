import type { Page } from 'playwright-core';
import { until } from './process.ts';

/** The titles of the notifications that a page with `noticesInPage` showed, sorted. */
export const noticeTitles = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>('shown.map(({ title }) => title).sort()');

/** Sends messages until the page shows notifications for them. The page has to load code first. */
export const untilNotified = (page: Page, send: () => Promise<unknown>): Promise<void> =>
  until(async () => {
    await send();
    return (await noticeTitles(page)).length > 0;
  });

/**
 * Replaces the browser's notifications in a page without a service worker. `shown` contains the notifications shown
 * so far.
 */
export const noticesInPage = `
  globalThis.shown = [];
  globalThis.Notification = class {
    static permission = 'granted';
    constructor(title, options) {
      Object.assign(this, options);
      shown.push({ title, ...options, notice: this });
    }
    close() {}
  };
`;
