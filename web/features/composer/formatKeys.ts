import type { KeyboardEvent } from 'react';
import { toast } from '../../ui/index.ts';
import { wrap } from './format.ts';
import type { Format } from './formatting/change.ts';
import { replaceIn, selectedIn } from './replaceIn.ts';

/**
 * The formats by keyboard shortcut, with Ctrl or Command. Digits are identified by their physical key,
 * because Shift changes them.
 */
const formats: Record<string, Format> = {
  b: 'bold',
  i: 'italic',
  e: 'code',
  shiftx: 'strike',
  shiftc: 'code',
  shiftu: 'link',
  shiftDigit7: 'ordered',
  shiftDigit8: 'bulleted',
  shiftDigit9: 'quote',
  altshiftc: 'block',
  altshiftKeyC: 'block',
};
const marks: Partial<Record<Format, string>> = { bold: '**', italic: '*', strike: '~~', code: '`' };

/** Formats the selection if the event is a formatting shortcut. */
export function formatted(event: KeyboardEvent<HTMLTextAreaElement>): boolean {
  if (!event.ctrlKey && !event.metaKey) return false;
  const held = `${event.altKey ? 'alt' : ''}${event.shiftKey ? 'shift' : ''}`;
  // Option changes letters, too. Ctrl and Alt together are AltGr on Windows, which types other letters.
  const code = event.altKey && !event.metaKey ? '' : event.code;
  const format = formats[held + event.key.toLowerCase()] ?? formats[held + code];
  if (!format) return false;
  event.preventDefault();
  event.stopPropagation();
  const area = event.currentTarget;
  const selected = selectedIn(area);
  const mark = marks[format];
  // Adds the marks synchronously, so the next keystroke lands between them.
  if (mark !== undefined && !/[\n`]/.test(selected.text.slice(selected.start, selected.end)))
    replaceIn(area, wrap(selected, mark));
  else
    import('./formatting/apply.ts').then(
      ({ applyFormat }) => applyFormat(area, format),
      (error) => toast.error(error),
    );
  return true;
}
