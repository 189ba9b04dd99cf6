import type { Replacing, Selected } from './format.ts';

/** A field's text and its selection. */
export const selectedIn = ({ value, selectionStart, selectionEnd }: HTMLTextAreaElement): Selected => ({
  text: value,
  start: selectionStart,
  end: selectionEnd,
});

/** Replaces a range of a field's text with undo support, and dispatches an input event. */
export function replaceIn(field: HTMLTextAreaElement, { from, to, insert, start, end }: Replacing): void {
  if (field.readOnly) return;
  const hasFocus = document.activeElement === field;
  field.setSelectionRange(from, to);
  // `execCommand` is deprecated, but it is the only way to change text with undo support. Without a
  // selection, it would delete the character before the caret.
  const isDone =
    field.value.slice(from, to) === insert ||
    (hasFocus && document.execCommand(insert === '' ? 'delete' : 'insertText', false, insert));
  if (!isDone) {
    field.setRangeText(insert, from, to, 'end');
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }
  field.setSelectionRange(start, end);
}

/** Replaces a range, or the selection, with text and puts the caret after it. */
export function insertIn(
  field: HTMLTextAreaElement,
  insert: string,
  from = field.selectionStart,
  to = field.selectionEnd,
): void {
  const end = from + insert.length;
  replaceIn(field, { from, to, insert, start: end, end });
}
