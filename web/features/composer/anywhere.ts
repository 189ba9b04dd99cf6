import { type RefObject, useEffect } from 'react';
import { hasMouse } from '../../ui/index.ts';

const isOpenDialog = () => document.querySelector('dialog[open], :popover-open') !== null;
const isWritten = (element: Element | null): boolean =>
  element instanceof HTMLElement && (element.matches('input, textarea, select') || element.isContentEditable);

/**
 * The field has the focus when its place opens, and takes letters that are typed with the focus nowhere, and files and text that are
 * pasted so. On phones it waits for a tap: a keyboard would cover half of the page.
 */
export function useKeysFromAnywhere(field: RefObject<HTMLTextAreaElement | null>, isMain: boolean): void {
  useEffect(() => {
    const area = field.current;
    if (!area || !hasMouse()) return;
    if (!isWritten(document.activeElement) && !isOpenDialog()) area.focus({ preventScroll: true });
  }, [field]);
  useEffect(() => {
    if (!isMain) return;
    const take = () => {
      const { activeElement } = document;
      const isNowhere = activeElement === document.body || activeElement?.localName === 'main';
      if (isNowhere && !isOpenDialog()) field.current?.focus();
    };
    const keyed = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented)
        return;
      // A question mark alone asks for the shortcuts; a blank scrolls.
      if ([...event.key].length === 1 && event.key !== ' ' && event.key !== '?') take();
    };
    document.addEventListener('keydown', keyed);
    document.addEventListener('paste', take, true);
    return () => {
      document.removeEventListener('keydown', keyed);
      document.removeEventListener('paste', take, true);
    };
  }, [field, isMain]);
}
