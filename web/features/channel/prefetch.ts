import { useActions } from '../../replica/hooks.ts';

/** How long in ms a row is hovered or focused before its channel is loaded. */
const REST_MS = 80;

let timer: ReturnType<typeof setTimeout> | undefined;

export const stopPrefetch = (): void => clearTimeout(timer);

const savesData = (): boolean =>
  (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;

/** Returns a function that prefetches a channel's messages when the user seems about to open it. */
export function usePrefetch(): (channelId: string) => void {
  const { prefetch } = useActions();
  return (channelId) => {
    stopPrefetch();
    if (!savesData()) timer = setTimeout(() => prefetch(channelId), REST_MS);
  };
}
