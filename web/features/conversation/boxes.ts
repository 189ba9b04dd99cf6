/** The rows of messages in a list, in their order. */
export const rowsIn = (scroller: HTMLElement): HTMLElement[] => [
  ...scroller.querySelectorAll<HTMLElement>('[data-message]'),
];

/** The index of the first row that ends below a height; their number if none does. It reads the boxes of a few rows only. */
export function firstBelow(rows: readonly HTMLElement[], top: number): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((rows[middle] as HTMLElement).getBoundingClientRect().bottom > top) high = middle;
    else low = middle + 1;
  }
  return low;
}
