import { PalaverError } from '../../api/index.ts';

/** An error with a message for the user, which forms show verbatim. */
export class Refusal extends Error {
  readonly code = 'REFUSED';
}

/**
 * A further requirement for signing in, as reported by the server: a two-factor code, or a username for a
 * new user.
 */
export interface Need {
  need: 'code' | 'username';
  username?: string;
  name?: string;
}

/** The missing requirement; undefined for other errors. */
export function needOf(error: unknown): Need | undefined {
  const details =
    error instanceof PalaverError ? (error.details as Partial<Need> | null | undefined) : undefined;
  return details?.need === 'code' || details?.need === 'username' ? (details as Need) : undefined;
}

/** True if the server requires the user to confirm their identity. */
export function needsProof(error: unknown): boolean {
  if (!(error instanceof PalaverError) || error.code !== 'FORBIDDEN') return false;
  const { rule } = (error.details ?? {}) as { rule?: unknown };
  return typeof rule === 'string' && rule.startsWith('proof:');
}

/** True for an error with one of the codes. */
export const isCode = (error: unknown, ...codes: PalaverError['code'][]): boolean =>
  error instanceof PalaverError && codes.includes(error.code);
