/** The length of the sliding window of every limit. */
export const WINDOW_MS = 60_000;

/** Requests in a window, per user and kind (specification, part 8; decisions, part 7). */
export const limitTable = {
  message: 30,
  channel: 10,
  server: 5,
  thread: 20,
  reaction: 30,
  indicator: 60,
  query: 60,
  app: 60,
  appInstall: 60,
  invite: 60,
  pin: 60,
  role: 60,
  secret: 60,
  serverMember: 60,
  userRole: 60,
  webhook: 60,
  /** Failed authentications, per client address. */
  authentication: 60,
} as const;

export type Kind = keyof typeof limitTable;
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
