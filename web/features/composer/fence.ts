import { outlineOf } from '../../../server/src/lib/text/blocks.ts';

/**
 * The prefix of the next line if the text ends inside a fenced code block: the quote markers and list
 * indentation around the block. Undefined if it does not (CommonMark 0.31, 4.5).
 */
export function openFence(text: string): string | undefined {
  // The `x` makes a blank last line part of the block that it continues.
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
