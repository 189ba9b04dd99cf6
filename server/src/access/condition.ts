import type { Flag } from '../lib/flags.ts';
import type { Principal } from './principal.ts';
import type { Resource, Verb } from './rules.ts';

/** A condition that some operations check in addition to their resource's rule. */
export interface Condition<Facts> {
  /**
   * The operations to which the condition applies. Errors name the rule of the first operation, unless `rule`
   * is given.
   */
  of: readonly `${Resource} ${Verb}`[];
  /** The condition as shown in `docs/tables.md` and in errors. */
  words: string;
  holds(principal: Principal, facts: Facts): boolean;
  /** Returns the error message for a condition that fails. */
  refusal(principal: Principal, facts: Facts): string;
  /** Returns the missing flags, for the error's `need` field. If omitted, the field is empty. */
  need?(principal: Principal, facts: Facts): readonly Flag[];
  /** The rule that errors name. Defaults to the rule of the first operation, followed by `words`. */
  rule?(facts: Facts): string;
}

/** Lets TypeScript infer the type of a condition's facts. */
export const condition = <Facts>(given: Condition<Facts>): Condition<Facts> => given;
