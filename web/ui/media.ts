import { useCallback, useSyncExternalStore } from 'react';

/** Whether the window is as a media query says, such as `(width < 45rem)`; the component is drawn anew when that changes. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listen: () => void) => {
      const media = matchMedia(query);
      media.addEventListener('change', listen);
      return () => media.removeEventListener('change', listen);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches);
}

/** The same width stands in `Frame.css`. */
const NARROW = '(width < 45rem)';

/** True on a phone: one pane at a time. */
export const isNarrow = (): boolean => matchMedia(NARROW).matches;

/** The same for a component: a panel covers the conversation there, so who goes to a message leaves it. */
export const useNarrow = (): boolean => useMedia(NARROW);

/** True with a mouse: there is a keyboard, too, which covers nothing when a field gets the focus. */
export const hasMouse = (): boolean => matchMedia('(hover: hover)').matches;
