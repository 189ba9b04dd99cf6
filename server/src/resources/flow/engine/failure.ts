import { ApiError } from '../../../errors.ts';
import { MakerLacks } from '../maker.ts';

/** The backoff after the first to fourth failed attempt. The five attempts take about a minute. */
const WAITS_MS = [2_000, 6_000, 15_000, 35_000];

/** Thrown if a step failed permanently. */
export class StepFailure extends Error {
  /** The step's input, if its templates were resolved. */
  input: unknown;

  constructor(message: string, input?: unknown) {
    super(message);
    this.input = input;
  }
}

/** Thrown if a request got no response, or one with the status 408, 429 or 5xx. */
export class Unanswered extends Error {}

/** The message for bugs and outages, whose own messages may contain internal addresses or SQL. */
export const UNKNOWN = 'an error in Palaver';

const retried: ReadonlySet<string> = new Set(['INTERNAL_ERROR', 'RATE_LIMITED']);

/** A failed attempt: its reason, and the delay before a retry; undefined for no retry. */
export interface Failure {
  message: string;
  retryMs: number | undefined;
  /** Set if the flow cannot run again until somebody saves it. */
  isForGood?: true;
}

/**
 * Converts the error of a failed attempt. `attempts` is the number of failed attempts, including this one.
 */
export function failureOf(error: unknown, attempts: number): Failure {
  const retryMs = WAITS_MS[attempts - 1];
  if (error instanceof MakerLacks)
    return {
      message: 'the member who last saved it left the server, or no longer has the permissions that it needs',
      retryMs: undefined,
      isForGood: true,
    };
  if (error instanceof StepFailure) return { message: error.message, retryMs: undefined };
  if (error instanceof Unanswered) return { message: error.message, retryMs };
  if (!(error instanceof ApiError)) return { message: UNKNOWN, retryMs };
  // This is the error if the flow's agent or role was deleted.
  if (error.code === 'UNAUTHORIZED') return { message: error.message, retryMs: undefined, isForGood: true };
  return { message: error.message, retryMs: retried.has(error.code) ? retryMs : undefined };
}

/** Returns the existing record, if an operation was rejected because of it. Rethrows other errors. */
export function existingOf(error: unknown): object {
  if (!(error instanceof ApiError) || error.code !== 'ALREADY_EXISTS') throw error;
  return ([error.details].flat()[0] ?? {}) as object;
}
