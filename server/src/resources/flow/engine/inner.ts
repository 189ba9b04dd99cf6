import { holds } from '../../../flows/conditions.ts';
import { into, type Position } from '../../../flows/position.ts';
import { hasBranch } from '../../../flows/shape.ts';
import type { Filled, Step } from '../../../flows/steps.ts';
import type { Values } from '../../../flows/template.ts';
import { StepFailure } from './failure.ts';

const MAX_ITEMS = 100;
const MAX_ITEMS_CHARACTERS = 64 * 1024;

/** Returns the list that an `each` step iterates over. Throws StepFailure. */
function itemsIn(input: Filled): readonly unknown[] {
  const { items } = input;
  if (!Array.isArray(items)) throw new StepFailure('items is not a list', input);
  if (items.length > MAX_ITEMS) throw new StepFailure(`items has more than ${MAX_ITEMS} items`, input);
  if (JSON.stringify(items).length > MAX_ITEMS_CHARACTERS) throw new StepFailure('items is too long', input);
  return items;
}

/** Returns the output of an `if` step, and the position of the first step in its branch, if there is one. */
export function branchOf(step: Step, values: Values, position: Position) {
  const output = { holds: holds(step.where, values) };
  const branch = output.holds ? 'then' : 'else';
  return { output, inside: hasBranch(step, branch) ? into(position, branch) : undefined };
}

/**
 * Returns the items and the output of an `each` step, and the position of its first inner step, if there is
 * one to execute. Throws StepFailure.
 */
export function eachOf(step: Step, input: Filled, position: Position) {
  const items = itemsIn(input);
  const isEmpty = items.length === 0 || !hasBranch(step, 'steps');
  return { items, output: { count: items.length }, inside: isEmpty ? undefined : into(position, 'each') };
}
