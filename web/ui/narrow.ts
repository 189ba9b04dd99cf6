/** The same width stands in `Frame.css`. */
export const NARROW = '(width < 45rem)';

/** True on a phone: one pane at a time. */
export const isNarrow = (): boolean => matchMedia(NARROW).matches;
