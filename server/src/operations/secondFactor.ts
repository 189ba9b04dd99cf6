import type { Caller } from '../access/authenticator.ts';
import { forbidden } from '../access/predicates.ts';
import type { SecondFactorRule } from '../lib/secondFactor.ts';

/** The rules named in errors, by the value of the setting `secondFactor`. */
export const secondFactorRules = {
  admins: 'secondFactor: admins need two-factor authentication or a passkey',
  all: 'secondFactor: everybody needs two-factor authentication or a passkey',
} satisfies Record<Exclude<SecondFactorRule, 'off'>, string>;

/**
 * Throws FORBIDDEN for a signed-in person, or an app that acts for one, with neither an authenticator app nor
 * a passkey if the setting `secondFactor` requires one. API keys are not affected.
 */
export function requireSecondFactor(rule: SecondFactorRule, { credential, principal }: Caller): void {
  if (rule === 'off' || !('hasSecondFactor' in credential) || credential.hasSecondFactor) return;
  const isAdmin =
    credential.kind === 'grant'
      ? credential.isOfAdmin
      : principal.platformAdmin || principal.isServerCreator || principal.flags.has('canAdmin');
  if (rule === 'admins' && !isAdmin) return;
  throw forbidden(
    principal,
    secondFactorRules[rule],
    [],
    'this requires two-factor authentication or a passkey. Set one up in your settings',
  );
}
