import { inOwnWords } from '../api/refusals/index.ts';
import { sentence as inSentence, permissions, ui as t } from '../strings/en/common.ts';

/** A problem with a field: its path in the body, and the required change. */
interface Problem {
  path: string;
  message: string;
}

/** A problem as the server sends it: `reason` is the machine-readable code. */
interface Given extends Problem {
  reason?: string;
}

/**
 * The fields of a `PalaverError` that messages use. Declared here, because this folder must not depend on the
 * client.
 */
interface Refusal {
  code: string;
  /** The HTTP status; 0 if there was no response. */
  status?: number;
  message: string;
  details?: unknown;
  retryAfter?: number;
}

const isRefusal = (error: unknown): error is Refusal =>
  typeof (error as Partial<Refusal> | null | undefined)?.code === 'string';

/** Replaces permission flags with the names of the permissions. */
const named = (words: string): string =>
  words.replace(/\bcan[A-Z]\w+/g, (flag) => {
    const name = (permissions as Readonly<Record<string, string>>)[flag];
    return name === undefined ? flag : inSentence.permission({ name });
  });

/** Turns the server's message, which starts in lowercase and has no full stop, into a sentence. */
const sentence = (words: string): string =>
  words.charAt(0).toLocaleUpperCase() + named(words.slice(1)) + (/[\p{L}\p{N})"]$/u.test(words) ? '.' : '');

/** The server's message in the page's language. */
const say = (words: string, by?: { reason?: string; code?: string }): string =>
  inOwnWords(words, by) ?? sentence(words);

/** The message for a response from another program, such as a proxy. */
const byProxy = (status: number): string =>
  status === 413 ? t.errors.proxyTooLarge : t.errors.proxy({ status: String(status) });

/** The message to show for any thrown value. */
export function messageOf(error: unknown): string {
  if (!isRefusal(error)) return t.errors.unexpected;
  const { code, status = 0, message, details, retryAfter } = error;
  if (code === 'NO_ANSWER') return status === 0 ? t.errors.noAnswer : byProxy(status);
  if (code === 'RATE_LIMITED' && retryAfter)
    return inOwnWords(message) ?? t.errors.tooOften({ seconds: Math.ceil(retryAfter) });
  const [first] = Array.isArray(details) ? (details as Given[]) : [];
  const own = first && inOwnWords(first.message, first);
  return own ?? (message ? say(message, { code }) : t.errors.unexpected);
}

/**
 * The problems with individual fields. INVALID_REQUEST lists them; other codes may name one field in
 * `details.field`.
 */
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

/** The message for a permission that `may` denies. */
export const refusalOf = ({ message }: { message: string }): string => say(message);
