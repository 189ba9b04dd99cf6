import { useSyncExternalStore } from 'react';

const narrow = matchMedia('(width < 45rem)');

function subscribe(listen: () => void): () => void {
  narrow.addEventListener('change', listen);
  return () => narrow.removeEventListener('change', listen);
}

/** True on a phone: a panel covers the conversation there, so who goes to a message leaves it. */
export const useNarrow = (): boolean => useSyncExternalStore(subscribe, () => narrow.matches);
