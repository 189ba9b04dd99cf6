import { type Resource, rules } from '../access/rules.ts';

/** The length of the sliding window of every limit. */
export const WINDOW_MS = 60_000;

/** Requests in a window, per user and kind, for the kinds named in the specification, part 8. */
const named = {
  message: 30,
  channel: 10,
  server: 5,
  thread: 20,
  reaction: 30,
  indicator: 60,
  query: 60,
};
/** Requests in a window for all other kinds (decisions, part 7). */
const OTHER_REQUESTS = 60;

/** The kinds of requests: `query` for reads, the resource for writes, `authentication` for failed ones, per address. */
export type Kind = Resource | 'query' | 'authentication';

const others = Object.keys(rules).filter((resource) => !Object.hasOwn(named, resource));

/** The limits of all kinds. */
export const limitTable = {
  ...named,
  ...Object.fromEntries(others.map((resource) => [resource, OTHER_REQUESTS])),
  authentication: OTHER_REQUESTS,
} as Record<Kind, number>;

export type Limits = Readonly<Record<Kind, number>>;

/**
 * The table with an operator's changes, for example `{"message": 0, "*": 600}`: `*` stands for all kinds not named, 0
 * for no limit. Throws an Error with a message for the operator if the changes are invalid.
 */
export function limitsFrom(changes: unknown): Limits {
  if (typeof changes !== 'object' || changes === null || Array.isArray(changes)) {
    throw new Error('must be a JSON object such as {"message": 0, "*": 600}');
  }
  for (const [kind, limit] of Object.entries(changes)) {
    if (kind !== '*' && !Object.hasOwn(limitTable, kind)) {
      throw new Error(`has no kind "${kind}"; the kinds are ${Object.keys(limitTable).join(', ')} and *`);
    }
    if (!Number.isInteger(limit) || limit < 0 || limit > 1_000_000) {
      throw new Error(`"${kind}" must be a whole number from 0 (no limit) to 1000000`);
    }
  }
  const given = changes as Partial<Record<Kind | '*', number>>;
  const kinds = Object.entries(limitTable) as [Kind, number][];
  return Object.fromEntries(
    kinds.map(([kind, limit]) => [kind, given[kind] ?? given['*'] ?? limit]),
  ) as Limits;
}
