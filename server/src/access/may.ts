import { ApiError } from '../errors.ts';
import type { Flag } from '../lib/flags.ts';
import type { Condition } from './condition.ts';
import { conditions, requireCondition } from './conditions.ts';
import type { Target } from './predicates.ts';
import type { Principal } from './principal.ts';
import { authorize, type Resource, ruleText, type Verb } from './rules.ts';

/** A person's permissions, as contained in a snapshot. */
export type ShownStanding = Omit<Principal, 'flags' | 'isSignedIn'> & { readonly flags: readonly Flag[] };

/**
 * The facts about a target that conditions need, by the name of the condition. Conditions without facts are
 * not checked.
 */
export type Facts = {
  [Name in keyof typeof conditions]?: (typeof conditions)[Name] extends Condition<infer F>
    ? Omit<F, 'operation'>
    : never;
};

/** Whether something is allowed; if not, the reason. */
export interface Permission {
  allowed: boolean;
  /** The rule, in the words of the table of permissions. */
  rule: string;
  /** The error message; empty if it is allowed. */
  message: string;
  /** Any one of these flags would suffice. */
  need: readonly Flag[];
}

/**
 * Predicts whether the server would allow a write by evaluating the server's own rules, so that clients can
 * disable actions that a person may not perform. The target is in the person's server unless specified
 * otherwise. The server still checks every write.
 */
export function may(
  standing: ShownStanding,
  operation: `${Resource} ${Verb}`,
  target: Partial<Target> = {},
  facts: Facts = {},
): Permission {
  const [resource, verb] = operation.split(' ') as [Resource, Verb];
  const principal: Principal = { ...standing, flags: new Set(standing.flags), isSignedIn: true };
  try {
    authorize(principal, resource, verb, { serverId: standing.serverId, ...target });
    for (const [name, known] of Object.entries(facts)) {
      const condition = conditions[name as keyof Facts] as Condition<object>;
      requireCondition(principal, condition, { ...known, operation });
    }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { rule, need } = error.details as Pick<Permission, 'rule' | 'need'>;
    return { allowed: false, rule, message: error.message, need };
  }
  return { allowed: true, rule: ruleText(resource, verb), message: '', need: [] };
}
