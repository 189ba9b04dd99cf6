import { useCallback, useSyncExternalStore } from 'react';
import { NARROW } from './narrow.ts';

/** Whether a media query such as `(width < 45rem)` matches. Re-renders when that changes. */
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

/** Reactive `isNarrow`. On a phone a panel covers the conversation, so jumping to a message closes it. */
export const useNarrow = (): boolean => useMedia(NARROW);

/** True with a mouse. Then there is a physical keyboard, and focusing a field covers nothing. */
export const hasMouse = (): boolean => matchMedia('(hover: hover)').matches;
