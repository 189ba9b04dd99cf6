import { useCallback, useSyncExternalStore } from 'react';
import { NARROW } from './narrow.ts';

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

/** The same for a component: a panel covers the conversation there, so who goes to a message leaves it. */
export const useNarrow = (): boolean => useMedia(NARROW);

/** True with a mouse: there is a keyboard, too, which covers nothing when a field gets the focus. */
export const hasMouse = (): boolean => matchMedia('(hover: hover)').matches;
