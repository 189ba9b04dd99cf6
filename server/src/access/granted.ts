import { ApiError } from '../errors.ts';
import { forbidden } from './predicates.ts';
import type { Principal } from './principal.ts';
import { type Resource, ruleText, type Verb } from './rules.ts';

/**
 * Credentials and flows act independently of the app that created them. An app could use them to exceed its
 * grant, or to keep access after the grant is revoked.
 */
const outlasting: ReadonlySet<Resource> = new Set(['flow', 'secret', 'webhook']);

/** Throws FORBIDDEN if an app with a grant creates or changes something that could outlast the grant. */
export function requireWithinGrant(principal: Principal, resource: Resource, verb: Verb): void {
  if (!principal.isGranted || !outlasting.has(resource) || verb === 'delete') return;
  const message = 'an app cannot create or change API keys, secrets, webhooks and flows';
  throw forbidden(principal, ruleText(resource, verb), [], message);
}

/** Throws FORBIDDEN for an app with a grant, because only the person can confirm their identity. */
export function requireNotGranted(principal: Principal): void {
  if (!principal.isGranted) return;
  throw forbidden(
    principal,
    'proof: not by an app',
    [],
    'apps cannot do this. The person has to do it in Palaver',
  );
}

/**
 * Creates the error for a grant that is used outside its server. It is thrown before the person is loaded.
 */
export const outsideGrant = (): ApiError =>
  new ApiError('FORBIDDEN', 'this access token is for one server: it works only under /api/v1 and /mcp', {
    rule: 'a grant is for one server',
    have: [],
    need: [],
  });
