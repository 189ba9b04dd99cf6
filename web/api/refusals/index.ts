/**
 * The translations, loaded on the first error to keep the initial load small.
 */
let lines: typeof import('./translate.ts') | undefined;

/** Loads the translations of errors. If this fails, errors show the server's text. */
export async function loadRefusals(): Promise<void> {
  lines ??= await import('./translate.ts').catch(() => undefined);
}

/**
 * Translates a server's message by its text, or else by a problem's reason or the error code. Undefined if
 * the server's text needs no replacement or the translations are not loaded.
 */
export const inOwnWords = (text: string, by?: { reason?: string; code?: string }): string | undefined =>
  lines?.translate(text, by);
