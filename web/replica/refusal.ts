import type { Refusal } from './types.ts';

/** True if the failure is transient: the same request may succeed later. */
export const isPassing = ({ status }: Refusal): boolean =>
  status === 0 || status === 408 || status === 429 || status >= 500;

export const refusalOf = (error: unknown): Refusal => {
  const { code = 'NO_ANSWER', status = 0, message = String(error), details } = error as Partial<Refusal>;
  return { code, status, message, details };
};
