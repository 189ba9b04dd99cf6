import type { Replacing } from './format.ts';

/** Replaces a range of a field's text with undo support, and dispatches an input event. */
export function replaceIn(field: HTMLTextAreaElement, { from, to, insert, start, end }: Replacing): void {
  const hasFocus = document.activeElement === field;
  field.setSelectionRange(from, to);
  // `execCommand` is deprecated, but it is the only way to change text that lets the user undo the change.
  const isDone = hasFocus && document.execCommand(insert === '' ? 'delete' : 'insertText', false, insert);
  if (!isDone) {
    field.setRangeText(insert, from, to, 'end');
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }
  field.setSelectionRange(start, end);
}

/** Replaces a range, or the selection, with a text and puts the caret after it. */
export function insertIn(
  field: HTMLTextAreaElement,
  insert: string,
  from = field.selectionStart,
  to = field.selectionEnd,
): void {
  const end = from + insert.length;
  replaceIn(field, { from, to, insert, start: end, end });
}
