import type { Step } from './steps.ts';

/**
 * The position of a step in a flow, such as `2`, `2.then.0`, or `3.each.5.0` for the first step on the sixth
 * item in the list of step 3.
 */
export type Position = string;

type Branch = 'then' | 'else' | 'each';

/** Returns the step at a position; undefined past the end of its list. */
export function stepAt(steps: readonly Step[], position: Position): Step | undefined {
  let list: readonly Step[] | undefined = steps;
  let step: Step | undefined;
  const parts = position.split('.');
  for (let index = 0; index < parts.length; ) {
    const part = parts[index] as string;
    if (part === 'then' || part === 'else') {
      list = step?.[part];
      index++;
    } else if (part === 'each') {
      list = step?.steps;
      index += 2;
    } else {
      step = list?.[Number(part)];
      index++;
    }
  }
  return step;
}

/**
 * Returns the position of the first step of a branch. For `each`, this is the first step on the first item.
 */
export const into = (position: Position, branch: Branch): Position =>
  branch === 'each' ? `${position}.each.0.0` : `${position}.${branch}.0`;

/** Returns the index of the item that the steps at a position run on; undefined outside of `each`. */
export const itemIndexAt = (position: Position): number | undefined => {
  const found = /\.each\.(\d+)\.\d/.exec(position);
  return found ? Number(found[1]) : undefined;
};

/**
 * Returns the position after a step that was executed or skipped; null at the end of the flow. `items` is the
 * number of items in the current `each`.
 */
export function after(steps: readonly Step[], position: Position, items: number): Position | null {
  const parts = position.split('.');
  const next = [...parts.slice(0, -1), Number(parts.at(-1)) + 1].join('.');
  if (stepAt(steps, next)) return next;
  if (parts.length === 1) return null;
  const branch = parts.at(-2) as string;
  if (branch === 'then' || branch === 'else') return after(steps, parts.slice(0, -2).join('.'), items);
  const index = Number(branch) + 1;
  const parent = parts.slice(0, -3).join('.');
  return index < items ? `${parent}.each.${index}.0` : after(steps, parent, items);
}
