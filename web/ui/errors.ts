import { inOwnWords } from '../api/refusals/index.ts';
import { ui as t } from '../strings/en/common.ts';

/** One thing that is wrong with a field: its path in the body, and what to change. */
interface Problem {
  path: string;
  message: string;
}

/** The same as the server has it: `reason` is its word for programs. */
interface Given extends Problem {
  reason?: string;
}

/** The parts of a `PalaverError` that are shown. This folder knows nothing of the client, so it looks for them itself. */
interface Refusal {
  code: string;
  message: string;
  details?: unknown;
  retryAfter?: number;
}

const isRefusal = (error: unknown): error is Refusal =>
  typeof (error as Partial<Refusal> | null | undefined)?.code === 'string';

/** The server's words, which begin small and have no end, as a sentence. */
const sentence = (words: string): string =>
  words.charAt(0).toLocaleUpperCase() + words.slice(1) + (/[\p{L}\p{N})"]$/u.test(words) ? '.' : '');

/** The server's words in the language of the page. */
const say = (words: string, by?: { reason?: string; code?: string }): string =>
  inOwnWords(words, by) ?? sentence(words);

/** What to tell a person of anything that was thrown. */
export function messageOf(error: unknown): string {
  if (!isRefusal(error)) return t.errors.unexpected;
  const { code, message, details, retryAfter } = error;
  if (code === 'NO_ANSWER') return t.errors.noAnswer;
  if (code === 'RATE_LIMITED' && retryAfter)
    return inOwnWords(message) ?? t.errors.tooOften({ seconds: Math.ceil(retryAfter) });
  const [first] = Array.isArray(details) ? (details as Given[]) : [];
  const own = first && inOwnWords(first.message, first);
  return own ?? (message ? say(message, { code }) : t.errors.unexpected);
}

/** The problems of fields: INVALID_REQUEST lists them; other codes may name one as `details.field`. */
export function problemsOf(error: unknown): readonly Problem[] {
  if (!isRefusal(error)) return [];
  const { details, message } = error;
  if (Array.isArray(details))
    return details
      .filter((each): each is Given => typeof each?.path === 'string')
      .map(({ path, message, reason }) => ({ path, message: say(message, { reason }) }));
  const field = (details as { field?: unknown } | null | undefined)?.field;
  return typeof field === 'string' ? [{ path: field, message: say(message) }] : [];
}

/** What to tell a person whom a rule forbids something, as `may` says it. */
export const refusalOf = ({ message }: { message: string }): string => say(message);
