import { type Resource, rules } from '../access/rules.ts';
import { changed } from './changes.ts';

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
/** Attempts in a window to prove who one is, per account and address; of one account from all addresses, six times as many. */
const ATTEMPTS = 5;
/** The requests of all agents of a server together, as a multiple of one user's limit, unless a setting says otherwise. */
export const AGENT_CEILING = 100;

/** Requests in a window for all other kinds (decisions, part 7). */
const OTHER_REQUESTS = 60;
/** Requests in a window for the bytes of files. */
const CONTENT_REQUESTS = 600;
/** Requests in a window for what a client of a person draws: whoever looks for something goes through thirty channels in a minute. */
const VIEW_REQUESTS = 300;
/** Requests in a window for a copy of all that is held of a person: large tables are looked through for each. */
const EXPORT_REQUESTS = 5;

/**
 * The kinds of requests: `query` for reads, the resource for writes, `authentication` for failed ones, per address, `attempt` for
 * passwords and codes, `content` for the bytes of files: a page of messages may show a hundred pictures; `view` for snapshots,
 * views and streams under `/api/people`; and `export` for copies of one's data.
 */
export type Kind = Resource | 'query' | 'authentication' | 'attempt' | 'content' | 'view' | 'export';

const others = Object.keys(rules).filter((resource) => !Object.hasOwn(named, resource));

/** The limits of all kinds. */
export const limitTable = {
  ...named,
  ...Object.fromEntries(others.map((resource) => [resource, OTHER_REQUESTS])),
  authentication: OTHER_REQUESTS,
  attempt: ATTEMPTS,
  content: CONTENT_REQUESTS,
  view: VIEW_REQUESTS,
  export: EXPORT_REQUESTS,
} as Record<Kind, number>;

export type Limits = Readonly<Record<Kind, number>>;

/** The table with an operator's changes: see `changed`. */
export const limitsFrom = (changes: unknown): Limits =>
  changed(limitTable, changes, { row: 'kind', example: '{"message": 0, "*": 600}', most: 1_000_000 });
