import type { Table } from './facts.ts';

/** A stored response to a request with an `Idempotency-Key`. */
interface IdempotencyRow {
  scope: string;
  requestDigest: string;
  answer: string;
  createdAt: number;
}

/** Retention of a stored response, in milliseconds (decisions, part 1). */
export const KEPT_MS = 24 * 60 * 60_000;

export const idempotency: Table<IdempotencyRow> = {
  key: ['scope'],
  keptFor: { ms: KEPT_MS, since: 'createdAt' },
  insertsMerge: true,
};
