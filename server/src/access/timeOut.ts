import type { Target } from './predicates.ts';
import { forbidden } from './predicates.ts';
import type { Principal } from './principal.ts';
import type { Resource, Verb } from './rules.ts';

/** Maximum time-out, in milliseconds. */
export const MAX_TIMEOUT_MS = 28 * 24 * 60 * 60_000;

/**
 * Resources that are exempt from time-outs: direct messages, a person's own data, and reports, because a
 * timed-out member may need to report somebody.
 */
const spared: ReadonlySet<Resource> = new Set([
  'block',
  'conversation',
  'draft',
  'notification',
  'person',
  'picture',
  'presence',
  'pushSubscription',
  'reading',
  'report',
  'saved',
  'session',
  'ticket',
]);

/**
 * Throws FORBIDDEN for a write by a member who is timed out in the server. They can read, delete what they
 * could delete before, and leave. Time-outs don't apply to direct messages, which are not moderated, to
 * members with `canModerate`, or to the server's creator.
 */
export function requireNoTimeOut(
  principal: Principal,
  { resource, verb }: { resource: Resource; verb: Verb },
  target: Target,
  now: number,
): void {
  const { timeoutUntil, serverId, flags, isServerCreator } = principal;
  if (!timeoutUntil || timeoutUntil <= now) return;
  if (target.serverId !== serverId || verb === 'delete' || spared.has(resource)) return;
  if (target.channel?.memberIds || flags.has('canModerate') || isServerCreator) return;
  const until = new Date(timeoutUntil).toISOString();
  throw forbidden(
    principal,
    'serverMember: timed out',
    [],
    `a moderator timed you out until ${until}. You can read until then`,
  );
}
