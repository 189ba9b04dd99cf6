import type { Flag } from '../lib/flags.ts';
import type { Principal } from './principal.ts';
import type { Resource, Verb } from './rules.ts';

/** A condition that some operations check in addition to their resource's rule. */
export interface Condition<Facts> {
  /** The operations that it applies to. A refusal names the rule of the first one, unless `rule` is given. */
  of: readonly `${Resource} ${Verb}`[];
  /** The condition as shown in `docs/tables.md` and in refusals. */
  words: string;
  holds(principal: Principal, facts: Facts): boolean;
  /** The message of a refusal. */
  refusal(principal: Principal, facts: Facts): string;
  /** The missing flags, for the `need` field of a refusal. None if omitted. */
  need?(principal: Principal, facts: Facts): readonly Flag[];
  /** The rule that a refusal names. Defaults to the rule of the first operation, followed by `words`. */
  rule?(facts: Facts): string;
}

/** Lets TypeScript infer the type of a condition's facts. */
export const condition = <Facts>(given: Condition<Facts>): Condition<Facts> => given;
