const KEY = 'palaver-reloaded';
/** Time in ms after a reload in which no second one happens: the first did not help. */
const SOON = 60_000;

/** True if a chunk failed to load, most often because a newer version replaced it. The message differs by browser. */
export const isMissingPart = (error: unknown): boolean =>
  error instanceof Error &&
  /dynamically imported module|module script failed|loading chunk|error loading dynamically/i.test(
    error.message,
  );

/** Reloads the page because of a missing chunk; for pages with nothing to lose. Does nothing if it was just tried. */
export function reloadOnce(error: unknown): void {
  if (!isMissingPart(error) || !navigator.onLine) return;
  try {
    if (Date.now() - Number(sessionStorage.getItem(KEY)) < SOON) return;
    sessionStorage.setItem(KEY, String(Date.now()));
  } catch {
    // Without storage this could reload in a loop.
    return;
  }
  location.reload();
}
