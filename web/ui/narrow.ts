/** Must match `Frame.css`. */
export const NARROW = '(width < 45rem)';

/** True if the window is narrow, as on a phone: it then shows one pane at a time. */
export const isNarrow = (): boolean => matchMedia(NARROW).matches;
