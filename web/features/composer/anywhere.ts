import { type RefObject, useEffect, useLayoutEffect } from 'react';
import { MOVED } from '../../routes.ts';
import { isAwaited } from '../../ui/ahead.ts';
import { hasMouse } from '../../ui/index.ts';

const isOpenDialog = () => document.querySelector('dialog[open], :popover-open') !== null;
const isWritten = (element: Element | null): boolean =>
  element instanceof HTMLElement && (element.matches('input, textarea, select') || element.isContentEditable);

/** The field that is meant where the focus is: that of the pane, or that of the channel. */
const fieldOf = ({ activeElement }: Document, main: HTMLTextAreaElement | null) =>
  activeElement?.closest('.side-panel')?.querySelector<HTMLElement>('.composer-field') ?? main;

/** Keys with which one goes on from what was pointed at. */
const LEADING = /^(Tab|Enter|Escape|Home|End|Page|Arrow)/;

/**
 * The field has the focus when its place opens, and again when the channel that is open is chosen. It takes letters that are typed,
 * and files and text that are pasted, while the focus is nowhere or where a pointer has put it: on a message that was clicked, on a
 * button. Whoever came there by keys has the keys of that place. On phones it waits for a tap: a keyboard would cover half of the page.
 */
export function useKeysFromAnywhere(field: RefObject<HTMLTextAreaElement | null>, isMain: boolean): void {
  // With its first picture: letters may come at once.
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
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
      // A question mark alone asks for the shortcuts; a blank scrolls, or presses a button. The element that was pointed at has no say in a letter.
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
