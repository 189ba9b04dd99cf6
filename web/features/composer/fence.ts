import { outlineOf } from '../../../server/src/lib/text/blocks.ts';

/**
 * What a line needs in front of it to continue the fenced block of code that a text ends in: the marks of quotes
 * and the indentation of list items around it. Undefined if the text does not end in one (CommonMark 0.31, 4.5).
 */
export function openFence(text: string): string | undefined {
  // A line of blanks alone would belong to every block.
  let block = outlineOf(text.replace(/\n[ \t]*$/, '$&x')).root;
  for (let last = block.children.at(-1); last; last = block.children.at(-1)) block = last;
  if (!block.fence || block.fence.isClosed) return undefined;
  let before = '';
  for (let around = block.parent; around; around = around.parent) {
    const { type, marker } = around;
    before = (type === 'quote' ? '> ' : type === 'item' ? ' '.repeat(marker?.width ?? 0) : '') + before;
  }
  return before;
}
