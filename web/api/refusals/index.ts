/** The lines, once something was refused: most people never see one, so they are no part of the first page. */
let lines: typeof import('./translate.ts') | undefined;

/** Loads what refusals mean in the language of the page. Without it, they are said in the server's words. */
export async function loadRefusals(): Promise<void> {
  lines ??= await import('./translate.ts').catch(() => undefined);
}

/**
 * What the server says, in the language of the page: by its words, else by the reason of a problem or the code of the error. Undefined
 * where its own words are best, or nothing is loaded.
 */
export const inOwnWords = (text: string, by?: { reason?: string; code?: string }): string | undefined =>
  lines?.translate(text, by);
