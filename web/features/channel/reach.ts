import type { FocusEvent } from 'react';

/** Only the focused row's button can be reached with the Tab key. */
export function reach({ currentTarget }: FocusEvent<HTMLElement>, tabIndex: number): void {
  const button = currentTarget.querySelector<HTMLElement>('.channel-more');
  if (button) button.tabIndex = tabIndex;
}
