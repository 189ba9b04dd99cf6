import type { Caller } from '../access/authenticator.ts';
import type { Principal } from '../access/principal.ts';
import { ApiError } from '../errors.ts';
import { networkOf } from '../lib/network.ts';
import { rateLimited } from '../limits/headers.ts';
import type { Ceiling, Verdict } from '../limits/slidingWindow.ts';
import type { Kind } from '../limits/table.ts';
import type { Services } from './services.ts';

/** The limit that applies to a request, and the limiter's verdict. */
export interface Counted {
  kind: Kind;
  limit: number;
  verdict: Verdict;
}

/** A client, identified by its address. The address is a getter, because computing it takes time. */
interface Client {
  readonly ip: string;
}

/**
 * Step 1 of a request, unless its operation is open: authenticate (401); synchronous if the caller is cached.
 * `find` returns the caller or throws. Failures count towards a limit for the client's network, which is
 * derived from its address `ip`. Throws the error from `find`, or RATE_LIMITED.
 */
export function authenticated(
  services: Services,
  client: Client,
  find: () => Caller | Promise<Caller>,
): Caller | Promise<Caller> {
  try {
    const caller = find();
    return caller instanceof Promise ? caller.catch((error) => refuse(services, client, error)) : caller;
  } catch (error) {
    return refuse(services, client, error);
  }
}

/** Counts a failed authentication, then throws its error, or RATE_LIMITED if there were too many. */
async function refuse({ limits, limiter }: Services, { ip }: Client, error: unknown): Promise<never> {
  const limit = limits.authentication;
  if (!(error instanceof ApiError) || limit === 0) throw error;
  const verdict = await limiter.take(`authentication ${networkOf(ip)}`, limit);
  throw verdict.accepted ? error : rateLimited('authentication', limit, verdict);
}

/**
 * Step 2: apply the rate limit (429), per user and kind, or per client network for an open operation. An
 * agent is also subject to its server's ceiling. `tell` is called with the verdict, even if the request is
 * rejected. Synchronous if the limiter runs in this process. Throws RATE_LIMITED.
 */
export function limited(
  services: Services,
  kind: Kind,
  subject: Caller | string,
  tell: (counted: Counted) => void = () => {},
): void | Promise<void> {
  const { limits, limiter, grantUse, keyUse, sessionUse } = services;
  const isCaller = typeof subject !== 'string';
  const accept = () => {
    if (!isCaller) return;
    const { credential } = subject;
    if (credential.kind === 'apiKey') keyUse.note(credential);
    else if (credential.kind === 'session') sessionUse.note(credential);
    else if (credential.kind === 'grant') grantUse.note(credential);
  };
  const limit = limits[kind];
  if (limit === 0) return accept();
  const ceiling = isCaller ? ceilingOf(services, kind, subject.principal) : undefined;
  const hold = (verdict: Verdict) => {
    tell({ kind, limit, verdict });
    if (!verdict.accepted) throw rateLimited(kind, limit, verdict, ceiling);
    accept();
  };
  const of = isCaller ? subjectOf(subject) : `address ${subject}`;
  const taken = limiter.take(`${kind} ${of}`, limit, ceiling);
  return taken instanceof Promise ? taken.then(hold) : hold(taken);
}

/**
 * Returns the window that all agents of a server share. Without it, anyone with canEditApp could multiply
 * their limit by creating agents.
 */
function ceilingOf(
  { limits, agentCeiling }: Services,
  kind: Kind,
  { userType, serverId }: Principal,
): Ceiling | undefined {
  if (agentCeiling === 0 || userType !== 'agent' || serverId === null) return undefined;
  return { subject: `${kind} agents of ${serverId}`, limit: limits[kind] * agentCeiling };
}

/**
 * Returns the subject of a caller's rate limits. A person has one limit across all servers. An agent has one
 * limit per server, so that no server can use up another's.
 */
const subjectOf = ({ principal: { userId, userType, serverId } }: Caller): string =>
  userType === 'agent' ? `${userId} ${serverId}` : userId;
