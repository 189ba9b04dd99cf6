import type { Page } from 'playwright-core';
import type { PanelScene } from './panelScene.ts';

/** The composer of the scene's channel. */
export const field = (page: Page, scene: PanelScene) =>
  page.getByRole('textbox', { name: `Message #${scene.channel.name}` });
export const rowOf = (page: Page, content: string) => page.locator('[data-message]', { hasText: content });
/** The rows on the page of saved or scheduled messages. */
export const rows = (page: Page, name: string) =>
  page.getByRole('list', { name }).last().getByRole('listitem');

/** Opens the schedule menu of the composer with the keyboard. */
export async function openSchedule(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Schedule message' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menu', { name: 'Schedule message' }).waitFor();
}

/** The value of a date and time field. */
export const localTime = (at: number): string =>
  new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
