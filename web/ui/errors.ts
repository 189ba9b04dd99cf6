import { ui as t } from '../strings/en/ui.ts';

/** One thing that is wrong with a field: its path in the body, and what to change. */
interface Problem {
  path: string;
  message: string;
}

/** The parts of a `PalaverError` that are shown. This folder knows nothing of the client, so it looks for them itself. */
interface Refusal {
  code: string;
  message: string;
  details?: unknown;
  retryAfter?: number;
}

const isRefusal = (error: unknown): error is Refusal =>
  error instanceof Error && 'code' in error && typeof error.code === 'string';

/** The server's words, which begin small and have no end, as a sentence. */
const sentence = (words: string): string =>
  words.charAt(0).toLocaleUpperCase() + words.slice(1) + (/[\p{L}\p{N})"]$/u.test(words) ? '.' : '');

/** What to tell a person of anything that was thrown. */
export function messageOf(error: unknown): string {
  if (!isRefusal(error)) return t.errors.unexpected;
  if (error.code === 'NO_ANSWER') return t.errors.noAnswer;
  if (error.code === 'RATE_LIMITED' && error.retryAfter)
    return t.errors.tooOften(Math.ceil(error.retryAfter));
  return error.message ? sentence(error.message) : t.errors.unexpected;
}

/** The problems of fields: INVALID_REQUEST lists them; other codes may name one as `details.field`. */
export function problemsOf(error: unknown): readonly Problem[] {
  if (!isRefusal(error)) return [];
  const { details, message } = error;
  if (Array.isArray(details))
    return details
      .filter((each): each is Problem => typeof each?.path === 'string')
      .map(({ path, message }) => ({ path, message: sentence(message) }));
  const field = (details as { field?: unknown } | null | undefined)?.field;
  return typeof field === 'string' ? [{ path: field, message: sentence(message) }] : [];
}
