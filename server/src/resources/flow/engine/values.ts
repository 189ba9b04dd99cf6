import type { RowOf } from '../../../db/schema.ts';
import { filledCondition } from '../../../flows/conditions.ts';
import { itemIndexAt } from '../../../flows/position.ts';
import { type Filled, isGiven, type Step, type StepType } from '../../../flows/steps.ts';
import { render, renderJson, type Values, valueFrom } from '../../../flows/template.ts';

/** Returns the values available to a step's templates, without `event`. */
export function valuesAt(
  position: string,
  {
    flow: { id, name },
    runId,
    input,
    outputs,
    items,
    now,
  }: {
    flow: Pick<RowOf<'flow'>, 'id' | 'name'>;
    runId: string;
    input: unknown;
    outputs: object;
    items: readonly unknown[] | null;
    now: number;
  },
): Values {
  const index = itemIndexAt(position);
  return {
    input,
    steps: outputs,
    flow: { id, name },
    run: { id: runId },
    now,
    ...(index !== undefined && { index, item: items?.[index] }),
  };
}

/** Returns the name by which other steps refer to a step's output. */
export const nameOf = (step: Step, position: string): string => step.name ?? `step ${position}`;

/** Returns the outputs of executed steps, for `{{steps.NAME.output}}`. */
export const outputsOf = (steps: readonly RowOf<'flowStep'>[]): Record<string, { output: unknown }> =>
  Object.fromEntries(steps.map(({ name, output }) => [name, { output }]));

/** Returns the fields of a step with templates resolved, without its condition and nested steps. */
export function fill(step: Step, { fields }: StepType, values: Values): Filled {
  const filled: Record<string, unknown> = {};
  for (const [name, { kind }] of Object.entries(fields)) {
    const given = step[name];
    if (!isGiven(given) || kind === 'condition' || kind === 'steps') continue;
    const isText = kind === 'id' || kind === 'text' || kind === 'url';
    if (isText) filled[name] = render(String(given), values);
    else if (kind === 'event') filled[name] = filledEvent(given, values);
    else if (typeof given === 'string') filled[name] = valueFrom(given, values);
    else filled[name] = renderJson(given, values);
  }
  return filled;
}

/**
 * Returns the `event` field of a step that waits, with the templates in its condition resolved. The paths and
 * patterns in the condition are not templates.
 */
function filledEvent(given: unknown, values: Values): object {
  const { where, ...event } = given as { type: string; where?: unknown };
  return where === undefined ? event : { ...event, where: filledCondition(where, values) };
}
