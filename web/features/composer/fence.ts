import type { KeyboardEvent } from 'react';
import { outlineOf } from '../../../server/src/lib/text/blocks.ts';
import { insertIn } from './replaceIn.ts';

/**
 * What a line needs in front of it to continue the fenced block of code that a text ends in: the marks of quotes
 * and the indentation of list items around it. Undefined if the text does not end in one (CommonMark 0.31, 4.5).
 */
export function openFence(text: string): string | undefined {
  // A line of blanks alone would belong to every block.
  let block = outlineOf(/\n[ \t]*$/.test(text) ? `${text}x` : text).root;
  for (let last = block.children.at(-1); last; last = block.children.at(-1)) block = last;
  if (!block.fence || block.fence.isClosed) return undefined;
  let before = '';
  for (let around = block.parent; around; around = around.parent) {
    if (around.type === 'quote') before = `> ${before}`;
    else if (around.type === 'item') before = ' '.repeat(around.marker?.width ?? 0) + before;
  }
  return before;
}

/** Handles Enter in a fenced block of code, where it starts the next line. Returns false elsewhere. */
export function continuedFence(event: KeyboardEvent<HTMLTextAreaElement>): boolean {
  const area = event.currentTarget;
  const before = openFence(area.value.slice(0, area.selectionStart));
  if (before === undefined) return false;
  if (before !== '') {
    event.preventDefault();
    insertIn(area, `\n${before}`);
  }
  return true;
}
