const KEY = 'palaver-reloaded';
/** Milliseconds after a reload in which there is no other one: it did not help. */
const SOON = 60_000;

/** A part of the program that did not arrive: most often, a newer version has replaced it. Each browser has its own words. */
export const isMissingPart = (error: unknown): boolean =>
  error instanceof Error &&
  /dynamically imported module|module script failed|loading chunk|error loading dynamically/i.test(
    error.message,
  );

/** Loads the page anew because of a missing part, for a page that has nothing to lose. Does nothing if that has just been tried. */
export function reloadOnce(error: unknown): void {
  if (!isMissingPart(error) || !navigator.onLine) return;
  try {
    if (Date.now() - Number(sessionStorage.getItem(KEY)) < SOON) return;
    sessionStorage.setItem(KEY, String(Date.now()));
  } catch {
    // Without a memory it might go on for ever.
    return;
  }
  location.reload();
}
