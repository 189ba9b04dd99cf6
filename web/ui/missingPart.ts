import { type ComponentType, lazy } from 'react';

const KEY = 'palaver-reloaded';
/** Minimum time in ms between two reloads. If the first one did not help, another one won't. */
const SOON = 60_000;

/**
 * True if a chunk failed to load, usually because a newer version replaced it. The message differs between
 * browsers.
 */
export const isMissingPart = (error: unknown): boolean =>
  error instanceof Error &&
  /dynamically imported module|module script failed|loading chunk|error loading dynamically/i.test(
    error.message,
  );

/**
 * Reloads the page because a chunk is missing. For pages with nothing to lose. Does nothing if the page has
 * just been reloaded for the same reason.
 */
export function reloadOnce(error: unknown): void {
  if (!isMissingPart(error) || !navigator.onLine) return;
  try {
    if (Date.now() - Number(sessionStorage.getItem(KEY)) < SOON) return;
    sessionStorage.setItem(KEY, String(Date.now()));
  } catch {
    // Without storage, this could reload endlessly.
    return;
  }
  location.reload();
}

/** Delay in ms before the first retry. It doubles up to `LONGEST_MS`. */
const FIRST_MS = 1_000;
const LONGEST_MS = 60_000;

async function untilLoaded<T>(load: () => Promise<T>, wait = FIRST_MS): Promise<T> {
  try {
    return await load();
  } catch {
    await new Promise((end) => setTimeout(end, wait));
    return untilLoaded(load, Math.min(2 * wait, LONGEST_MS));
  }
}

/**
 * Lazy-loads a component that the page can do without for a while. The fallback of the surrounding `Suspense` is shown
 * until it has loaded. A failure, such as a lost connection, is not shown as an error; loading is retried.
 */
export const optional = <P>(load: () => Promise<{ default: ComponentType<P> }>): ComponentType<P> =>
  lazy(() => untilLoaded(load)) as ComponentType<P>;
