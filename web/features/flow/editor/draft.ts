import type { Records } from '../../../api/records.ts';

/** The lists of steps within a step. */
export const branches = ['then', 'else', 'steps'] as const;
export type Branch = (typeof branches)[number];

/** The fields of a trigger or step, as in the API. */
export type Fields = Readonly<Record<string, unknown>>;

/** A step while it is edited. */
export interface DraftStep {
  /** Identifies it while its position changes. */
  key: number;
  /** With `do` and `name`. The lists of steps within it are in `inner`. */
  fields: Fields;
  inner: Partial<Record<Branch, readonly DraftStep[]>>;
}

/** The trigger and the steps of a flow while they are edited. */
export interface Draft {
  trigger: Fields;
  steps: readonly DraftStep[];
}

let lastKey = 0;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A value of a field as text; empty if it is neither text nor a number. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** Prepares the trigger and the steps of a flow for editing. */
export const draftOf = ({ trigger, steps }: Pick<Records['Flow'], 'trigger' | 'steps'>): Draft => ({
  trigger: isFields(trigger) ? trigger : { on: 'manual' },
  steps: draftSteps(steps),
});

const draftSteps = (steps: readonly unknown[]): DraftStep[] => steps.filter(isFields).map(draftStep);

function draftStep(fields: Fields): DraftStep {
  const inner: DraftStep['inner'] = {};
  for (const branch of branches)
    if (Array.isArray(fields[branch])) inner[branch] = draftSteps(fields[branch]);
  return { key: ++lastKey, fields, inner };
}

/** The steps as the API takes them, with their fields in the order in which they were. */
export const stepsOf = (steps: readonly DraftStep[]): Fields[] =>
  steps.map(({ fields, inner }) => {
    const step: Record<string, unknown> = { ...fields };
    for (const branch of branches) if (inner[branch]) step[branch] = stepsOf(inner[branch]);
    return step;
  });

const firstBranches: Readonly<Record<string, Branch>> = { if: 'then', each: 'steps' };

/** A new step of a type, with a name that no other step has. */
export function newStep(type: string, all: readonly DraftStep[], fields: Fields = {}): DraftStep {
  const [first = 'step', second] = type.split('.');
  const base =
    second === undefined || first === 'http' ? first : second === 'create' ? first : `${first}-${second}`;
  const names = new Set(namesIn(all));
  let number = 1;
  while (names.has(`${base}-${number}`)) number++;
  const branch = firstBranches[type];
  const inner = branch ? { [branch]: [] } : {};
  return { key: ++lastKey, fields: { name: `${base}-${number}`, do: type, ...fields }, inner };
}

const namesIn = (steps: readonly DraftStep[]): unknown[] =>
  steps.flatMap(({ fields, inner }) => [
    fields.name,
    ...branches.flatMap((branch) => namesIn(inner[branch] ?? [])),
  ]);

/** Changes the list that contains the step with this key. */
function inListOf(
  steps: readonly DraftStep[],
  key: number,
  change: (list: readonly DraftStep[], at: number) => readonly DraftStep[],
): readonly DraftStep[] {
  const at = steps.findIndex((step) => step.key === key);
  if (at >= 0) return change(steps, at);
  return steps.map((step) => {
    const inner = { ...step.inner };
    for (const branch of branches) if (inner[branch]) inner[branch] = inListOf(inner[branch], key, change);
    return { ...step, inner };
  });
}

/** Changes the step with this key. */
const changed = (
  steps: readonly DraftStep[],
  key: number,
  change: (step: DraftStep) => DraftStep,
): readonly DraftStep[] => inListOf(steps, key, (list, at) => list.with(at, change(list[at] as DraftStep)));

/** Sets fields of a step. Undefined removes a field. */
export const withFields = (steps: readonly DraftStep[], key: number, changes: Fields): readonly DraftStep[] =>
  changed(steps, key, (step) => ({ ...step, fields: merged(step.fields, changes) }));

/** Replaces all fields of a step, and the steps within it. */
export const replaced = (steps: readonly DraftStep[], key: number, fields: Fields): readonly DraftStep[] =>
  changed(steps, key, () => ({ ...draftStep(fields), key }));

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

/** Where a step is added: at the end of the flow, or of a list within a step. */
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

/** The number of steps, with those within them. */
export const countOf = (steps: readonly DraftStep[]): number => namesIn(steps).length;
