import { allIn, changed, type DraftStep, type Fields, inside, isFields, merged } from './draft.ts';

/** The rule for step names, as in the API. */
const isName = (name: unknown): name is string =>
  typeof name === 'string' && /^[A-Za-z0-9_-]{1,50}$/.test(name);

/**
 * Sets fields of a step. Undefined removes a field. Renaming a step updates the references in other steps.
 */
export function withFields(steps: readonly DraftStep[], key: number, changes: Fields): readonly DraftStep[] {
  let before: DraftStep | undefined;
  const next = changed(steps, key, (step) => {
    before = step;
    return { ...step, fields: merged(step.fields, changes) };
  });
  return before && 'name' in changes ? withReferences(next, before) : next;
}

/**
 * Updates references to a step whose name has changed. They keep the previous name while the new one is
 * empty, invalid or taken, which may happen while the user types.
 */
function withReferences(
  steps: readonly DraftStep[],
  { key, fields, called }: DraftStep,
): readonly DraftStep[] {
  const from = called ?? fields.name;
  const to = allIn(steps).find((step) => step.key === key)?.fields.name;
  if (!isName(to) || isTaken(steps, key, to))
    return changed(steps, key, (step) => ({ ...step, called: from }));
  const named = changed(steps, key, ({ called: _, ...step }) => step);
  return isName(from) && from !== to ? rewritten(named, key, from, to) : named;
}

/** Whether another step has this name, or is still referred to by this name. */
const isTaken = (steps: readonly DraftStep[], key: number, name: string): boolean =>
  allIn(steps).some((step) => step.key !== key && (step.fields.name === name || step.called === name));

/** Maps all steps, nested ones before their parent. */
const walk = (steps: readonly DraftStep[], change: (step: DraftStep) => DraftStep): readonly DraftStep[] =>
  steps.map((step) => change(inside(step, (list) => walk(list, change))));

/** Rewrites `{{steps.NAME…}}` and the paths of conditions in all steps except the renamed one. */
function rewritten(steps: readonly DraftStep[], key: number, from: string, to: string): readonly DraftStep[] {
  const inTemplate = new RegExp(`(\\{\\{\\s*steps\\.)${from}(?=[\\s.|}])`, 'g');
  const asPath = new RegExp(`^steps\\.${from}(?=\\.|$)`);
  const change = (value: unknown, field: string | undefined, isCondition: boolean): unknown => {
    if (typeof value === 'string')
      return isCondition && field === 'path'
        ? value.replace(asPath, `steps.${to}`)
        : value.replace(inTemplate, `$1${to}`);
    if (Array.isArray(value)) return value.map((one) => change(one, undefined, isCondition));
    return isFields(value) ? inFields(value, isCondition) : value;
  };
  const inFields = (fields: Fields, isCondition: boolean): Fields =>
    Object.fromEntries(
      Object.entries(fields).map(([field, value]) => [
        field,
        change(value, field, isCondition || field === 'where'),
      ]),
    );
  return walk(steps, (step) => {
    if (step.key === key) return step;
    const fields = inFields(step.fields, false);
    if (JSON.stringify(fields) === JSON.stringify(step.fields)) return step;
    return { ...step, fields, edition: (step.edition ?? 0) + 1 };
  });
}
