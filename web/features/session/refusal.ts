import { PalaverError } from '../../api/index.ts';

/** Something that did not work, in words for the person: forms show them as they are. */
export class Refusal extends Error {
  readonly code = 'REFUSED';
}

/** What else a sign-in needs, by the server's word: the code of a second factor, or a username for somebody new. */
export interface Need {
  need: 'code' | 'username';
  username?: string;
  name?: string;
}

/** What is needed beside what was given; undefined if the error says something else. */
export function needOf(error: unknown): Need | undefined {
  const details =
    error instanceof PalaverError ? (error.details as Partial<Need> | null | undefined) : undefined;
  return details?.need === 'code' || details?.need === 'username' ? (details as Need) : undefined;
}

/** True if the server asks for a proof of who somebody is. */
export function needsProof(error: unknown): boolean {
  if (!(error instanceof PalaverError) || error.code !== 'FORBIDDEN') return false;
  const { rule } = (error.details ?? {}) as { rule?: unknown };
  return typeof rule === 'string' && rule.startsWith('proof:');
}

/** True for an error with one of the codes. */
export const isCode = (error: unknown, ...codes: PalaverError['code'][]): boolean =>
  error instanceof PalaverError && codes.includes(error.code);
