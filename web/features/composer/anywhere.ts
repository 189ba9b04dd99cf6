import { type RefObject, useEffect, useLayoutEffect } from 'react';
import { MOVED } from '../../routes.ts';
import { isAwaited } from '../../ui/ahead.ts';
import { hasMouse } from '../../ui/index.ts';

const isOpenDialog = () => document.querySelector('dialog[open], :popover-open') !== null;
const isWritten = (element: Element | null): boolean =>
  element instanceof HTMLElement && (element.matches('input, textarea, select') || element.isContentEditable);

/** The text field for the focused element: the one in the side panel, or the one below the channel. */
const fieldOf = ({ activeElement }: Document, main: HTMLTextAreaElement | null) =>
  activeElement?.closest('.side-panel')?.querySelector<HTMLElement>('.composer-field') ?? main;

/** Keys which show that the user now navigates by keyboard, even if the focused element was clicked. */
const LEADING = /^(Tab|Enter|Escape|Home|End|Page|Arrow)/;

/**
 * Focuses the text field when its channel or thread opens, and when the user selects the open channel again. Typed
 * letters and pasted files and text go to the field while nothing has the focus, or while the focus is on
 * an element that was clicked, such as a message or a button. An element focused by keyboard keeps its
 * keys. On phones the field is only focused by a tap, because the keyboard would cover half of the page.
 */
export function useKeysFromAnywhere(field: RefObject<HTMLTextAreaElement | null>, isMain: boolean): void {
  // This is a layout effect, because keys may arrive right after the first paint.
  useLayoutEffect(() => {
    const area = field.current;
    if (!area || !hasMouse()) return;
    if (!isWritten(document.activeElement) && !isOpenDialog()) area.focus({ preventScroll: true });
  }, [field]);
  useEffect(() => {
    if (!isMain) return;
    let isPointed = false;
    const take = () => {
      const { activeElement } = document;
      const isNowhere = activeElement === document.body || activeElement?.localName === 'main';
      const isFree = isNowhere || (isPointed && !isWritten(activeElement));
      if (!isFree || isOpenDialog() || isAwaited()) return false;
      fieldOf(document, field.current)?.focus();
      return true;
    };
    const keyed = (event: KeyboardEvent) => {
      if (LEADING.test(event.key)) isPointed = false;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      // A question mark opens the list of shortcuts, and a space scrolls or presses a button. All other
      // characters go to the text field instead of the clicked element.
      if ([...event.key].length === 1 && event.key !== ' ' && event.key !== '?' && take())
        event.stopPropagation();
    };
    const pointed = () => {
      isPointed = true;
    };
    const moved = () => {
      if (document.activeElement?.ariaCurrent === 'page' && hasMouse()) field.current?.focus();
    };
    addEventListener('keydown', keyed, true);
    addEventListener('pointerdown', pointed, true);
    addEventListener('paste', take, true);
    addEventListener(MOVED, moved);
    return () => {
      removeEventListener('keydown', keyed, true);
      removeEventListener('pointerdown', pointed, true);
      removeEventListener('paste', take, true);
      removeEventListener(MOVED, moved);
    };
  }, [field, isMain]);
}
