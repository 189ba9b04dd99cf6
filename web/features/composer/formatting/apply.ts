import { replaceIn, selectedIn } from '../replaceIn.ts';
import { changeFor, type Format } from './change.ts';

/** Toggles a format on a field's selection, and focuses the field. */
export function applyFormat(field: HTMLTextAreaElement, format: Format): void {
  field.focus();
  replaceIn(field, changeFor(format, selectedIn(field)));
}
