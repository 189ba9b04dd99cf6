import type { Caller } from '../access/authenticator.ts';
import { forbidden } from '../access/predicates.ts';
import type { SecondFactorRule } from '../lib/secondFactor.ts';

/** The rules named in errors, by the value of the setting `secondFactor`. */
export const secondFactorRules = {
  admins: 'secondFactor: admins need two-factor authentication or a passkey',
  all: 'secondFactor: everybody needs two-factor authentication or a passkey',
} satisfies Record<Exclude<SecondFactorRule, 'off'>, string>;

/**
 * Throws FORBIDDEN if the setting `secondFactor` requires an authenticator app or a passkey, and the person has
 * neither, whether they are signed in or an app acts for them. API keys are not affected.
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
