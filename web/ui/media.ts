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

/**
 * Like `isNarrow`, but re-renders when it changes. On a phone a panel covers the conversation, so jumping
 * to a message closes the panel.
 */
export const useNarrow = (): boolean => useMedia(NARROW);

/**
 * True on devices with a mouse. They usually have a physical keyboard, so focusing a field opens no on-screen
 * keyboard.
 */
export const hasMouse = (): boolean => matchMedia('(hover: hover)').matches;
