import { type Resource, rules } from '../access/rules.ts';
import { changed } from './changes.ts';

/** The length of every sliding window, in milliseconds. */
export const WINDOW_MS = 60_000;

/**
 * Requests per window for the kinds named in the specification, part 8, for new direct messages, and for text
 * appended to messages. Each limit applies per user.
 */
const named = {
  message: 30,
  messageDelta: 3_000,
  channel: 10,
  conversation: 10,
  server: 5,
  thread: 20,
  reaction: 30,
  indicator: 60,
  query: 60,
};
/**
 * Maximum attempts per window to enter a password or code, per account and address. The limit per account
 * alone is six times as high.
 */
const ATTEMPTS = 5;
/**
 * Combined rate limit of all agents on a server, as a multiple of one user's limit. The default of the
 * setting `agentCeiling`.
 */
export const AGENT_CEILING = 100;

/** Requests per window for all other kinds (decisions, part 7). */
const OTHER_REQUESTS = 60;
/** Requests per window for file contents. */
const CONTENT_REQUESTS = 600;
/**
 * Requests per window for data that the web client renders. A person who is looking for something may click
 * through thirty channels a minute.
 */
const VIEW_REQUESTS = 300;
/** Requests per window for exports of personal data, because each scans large tables. */
const EXPORT_REQUESTS = 5;

/**
 * The kinds of requests, each with its own limit:
 *
 * - `query` for reads, and the resource for writes
 * - `authentication` for failed authentication, per address
 * - `attempt` for passwords and codes
 * - `content` for file contents: a page of messages may show a hundred pictures
 * - `view` for snapshots, streams and other data of the web client, under `/api/people`
 * - `export` for exports of personal data
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

/** Returns the limits with an operator's overrides applied (see `changed`). */
export const limitsFrom = (changes: unknown): Limits =>
  changed(limitTable, changes, { row: 'kind', example: '{"message": 0, "*": 600}', most: 1_000_000 });
