import type { Replacing } from './format.ts';

/** Replaces a part of what is in a field, so that the person can undo it, and tells it as input. */
export function replaceIn(field: HTMLTextAreaElement, { from, to, insert, start, end }: Replacing): void {
  const hasFocus = document.activeElement === field;
  field.setSelectionRange(from, to);
  // The only way that browsers have to make a change which their undo knows.
  const isDone = hasFocus && document.execCommand(insert === '' ? 'delete' : 'insertText', false, insert);
  if (!isDone) {
    field.setRangeText(insert, from, to, 'end');
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }
  field.setSelectionRange(start, end);
}

/** Puts a text in the place of another one, or of what is selected, with the caret behind it. */
export function insertIn(
  field: HTMLTextAreaElement,
  insert: string,
  from = field.selectionStart,
  to = field.selectionEnd,
): void {
  const end = from + insert.length;
  replaceIn(field, { from, to, insert, start: end, end });
}
