/** The rows of messages in a list, in order. */
export const rowsIn = (scroller: HTMLElement): HTMLElement[] => [
  ...scroller.querySelectorAll<HTMLElement>('[data-message]'),
];

/**
 * The index of the first row whose bottom is below `top`, or the number of rows if there is none. Uses a
 * binary search, so it measures only a few rows.
 */
export function firstBelow(rows: readonly HTMLElement[], top: number): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((rows[middle] as HTMLElement).getBoundingClientRect().bottom > top) high = middle;
    else low = middle + 1;
  }
  return low;
}
