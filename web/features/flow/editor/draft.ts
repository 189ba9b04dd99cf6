import type { Records } from '../../../api/records.ts';

/** The nested lists of steps. */
export const branches = ['then', 'else', 'steps'] as const;
export type Branch = (typeof branches)[number];

/** The fields of a trigger or step, as in the API. */
export type Fields = Readonly<Record<string, unknown>>;

/** A step being edited. */
export interface DraftStep {
  /** Identifies the step while its position changes. */
  key: number;
  /** Includes `do` and `name`. Nested steps are in `inner`. */
  fields: Fields;
  inner: Partial<Record<Branch, readonly DraftStep[]>>;
  /** The name used in references from other steps while its own name is not valid. */
  called?: unknown;
  /** Changes when the fields change outside the step's form, which then remounts. */
  edition?: number;
}

/** The trigger and the steps of a flow being edited. */
export interface Draft {
  trigger: Fields;
  steps: readonly DraftStep[];
  /** Content that forms cannot show, because the trigger or a step is not an object. */
  raw?: Body;
}

/** The trigger and the steps in the API's format. */
export type Body = Pick<Records['Flow'], 'trigger' | 'steps'>;

let lastKey = 0;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A field's value as text; empty if it is neither text nor a number. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** Converts the trigger and the steps of a flow for editing. */
export const draftOf = ({ trigger, steps }: Body): Draft =>
  isFields(trigger) && areFields(steps)
    ? { trigger, steps: draftSteps(steps) }
    : { trigger: { on: 'manual' }, steps: [], raw: { trigger, steps } };

/** Whether forms can show all of these steps. */
const areFields = (steps: readonly unknown[]): boolean =>
  steps.every(
    (step) =>
      isFields(step) &&
      branches.every((branch) => !Array.isArray(step[branch]) || areFields(step[branch] as unknown[])),
  );

/** The trigger and the steps in the API's format. */
export const bodyOf = ({ trigger, steps, raw }: Draft): Body => raw ?? { trigger, steps: stepsOf(steps) };

const draftSteps = (steps: readonly unknown[]): DraftStep[] => steps.filter(isFields).map(draftStep);

function draftStep(fields: Fields): DraftStep {
  const inner: DraftStep['inner'] = {};
  for (const branch of branches)
    if (Array.isArray(fields[branch])) inner[branch] = draftSteps(fields[branch]);
  return { key: ++lastKey, fields, inner };
}

/** The steps in the API's format, with their fields in the original order. */
export const stepsOf = (steps: readonly DraftStep[]): Fields[] =>
  steps.map(({ fields, inner }) => {
    const step: Record<string, unknown> = { ...fields };
    for (const branch of branches) if (inner[branch]) step[branch] = stepsOf(inner[branch]);
    return step;
  });

const firstBranches: Readonly<Record<string, Branch>> = { if: 'then', each: 'steps' };

/** A new step of a type, with a unique name. */
export function newStep(type: string, all: readonly DraftStep[], fields: Fields = {}): DraftStep {
  const [first = 'step', second] = type.split('.');
  const base =
    second === undefined || first === 'http' ? first : second === 'create' ? first : `${first}-${second}`;
  const names = new Set(allIn(all).map(({ fields }) => fields.name));
  let number = 1;
  while (names.has(`${base}-${number}`)) number++;
  const branch = firstBranches[type];
  const inner = branch ? { [branch]: [] } : {};
  return { key: ++lastKey, fields: { name: `${base}-${number}`, do: type, ...fields }, inner };
}

/** All steps, including nested ones. */
export const allIn = (steps: readonly DraftStep[]): DraftStep[] =>
  steps.flatMap((step) => [step, ...branches.flatMap((branch) => allIn(step.inner[branch] ?? []))]);

/** A copy of a step in which its nested lists of steps are changed. */
export function inside(
  step: DraftStep,
  change: (list: readonly DraftStep[]) => readonly DraftStep[],
): DraftStep {
  const inner = { ...step.inner };
  for (const branch of branches) if (inner[branch]) inner[branch] = change(inner[branch]);
  return { ...step, inner };
}

/** Changes the list that contains the step with this key. */
function inListOf(
  steps: readonly DraftStep[],
  key: number,
  change: (list: readonly DraftStep[], at: number) => readonly DraftStep[],
): readonly DraftStep[] {
  const at = steps.findIndex((step) => step.key === key);
  if (at >= 0) return change(steps, at);
  return steps.map((step) => inside(step, (list) => inListOf(list, key, change)));
}

/** Changes the step with this key. */
export const changed = (
  steps: readonly DraftStep[],
  key: number,
  change: (step: DraftStep) => DraftStep,
): readonly DraftStep[] => inListOf(steps, key, (list, at) => list.with(at, change(list[at] as DraftStep)));

/**
 * Replaces all fields of a step, and its nested steps. Does not remount its form, because the user is typing
 * in it.
 */
export const replaced = (steps: readonly DraftStep[], key: number, fields: Fields): readonly DraftStep[] =>
  changed(steps, key, ({ edition }) => ({
    ...draftStep(fields),
    key,
    ...(edition !== undefined && { edition }),
  }));

export const merged = (fields: Fields, changes: Fields): Fields =>
  Object.fromEntries(Object.entries({ ...fields, ...changes }).filter(([, value]) => value !== undefined));

export const without = (steps: readonly DraftStep[], key: number): readonly DraftStep[] =>
  inListOf(steps, key, (list, at) => list.filter((_, index) => index !== at));

/** Moves a step up (-1) or down (1) in its list. */
export const moved = (steps: readonly DraftStep[], key: number, by: -1 | 1): readonly DraftStep[] =>
  inListOf(steps, key, (list, at) => {
    const to = at + by;
    const [step, other] = [list[at], list[to]];
    if (!step || !other) return list;
    return list.with(at, other).with(to, step);
  });

/** The list that a step is added to: the flow's, or a nested one. */
export interface Place {
  key?: number;
  branch?: Branch;
}

export function added(
  steps: readonly DraftStep[],
  { key, branch }: Place,
  step: DraftStep,
): readonly DraftStep[] {
  if (key === undefined || branch === undefined) return [...steps, step];
  return changed(steps, key, (one) => ({
    ...one,
    inner: { ...one.inner, [branch]: [...(one.inner[branch] ?? []), step] },
  }));
}

/** The number of steps, including nested ones. */
export const countOf = (steps: readonly DraftStep[]): number => allIn(steps).length;
