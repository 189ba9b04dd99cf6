/** True on a phone: one pane at a time. The same width stands in `Frame.css`. */
export const isNarrow = (): boolean => matchMedia('(width < 45rem)').matches;
