import type { Page } from 'playwright-core';

/** Uses a page with the keyboard alone. Elements are found by their labels, in the order of Tab. */
export class Keyboard {
  readonly page: Page;
  constructor(page: Page) {
    this.page = page;
  }

  /** Presses Tab until the element with this label has the focus. */
  async tabTo(label: string): Promise<void> {
    for (let turn = 0; turn < 80; turn++) {
      const focused = await this.page.evaluate<string>(
        `(({ activeElement: at }) => (at.ariaLabel || at.labels?.[0]?.textContent || at.textContent || '').trim())(document)`,
      );
      if (focused === label) return;
      await this.page.keyboard.press('Tab');
    }
    throw new Error(`nothing named ${label}`);
  }

  /** Presses a key on the element with this label. */
  async press(label: string, key = 'Enter'): Promise<void> {
    await this.tabTo(label);
    await this.page.keyboard.press(key);
  }

  async select(label: string, option: string): Promise<void> {
    await this.tabTo(label);
    await this.#downTo(option, 'document.activeElement.selectedOptions[0].label');
  }

  /** Chooses an item in the menu that a button opens. */
  async pick(label: string, item: string): Promise<void> {
    await this.press(label);
    await this.page.getByRole('menu').waitFor();
    await this.#downTo(item, `document.activeElement.querySelector('.menu-item-label')?.textContent ?? ''`);
    await this.page.keyboard.press('Enter');
  }

  /** Presses the down arrow until the script returns this text. */
  async #downTo(wanted: string, script: string): Promise<void> {
    for (let turn = 0; turn < 60; turn++) {
      if ((await this.page.evaluate<string>(script)) === wanted) return;
      await this.page.keyboard.press('ArrowDown');
    }
    throw new Error(`no ${wanted}`);
  }
}
