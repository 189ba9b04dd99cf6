/** Must match `Frame.css`. */
export const NARROW = '(width < 45rem)';

/** True on a phone, which shows one pane at a time. */
export const isNarrow = (): boolean => matchMedia(NARROW).matches;
