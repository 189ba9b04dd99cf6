import { useMemo, useState } from 'react';
import {
  added,
  type Draft,
  type Fields,
  merged,
  moved,
  newStep,
  type Place,
  replaced,
  without,
} from './draft.ts';
import { withFields } from './rename.ts';
import { firstFields } from './stepForms.ts';

/** Changes to a draft. */
export interface Edits {
  trigger: (trigger: Fields) => void;
  add: (type: string, place: Place) => void;
  /** Sets fields of a step. Undefined removes a field. */
  change: (key: number, changes: Fields) => void;
  /** Replaces all fields of a step, and its nested steps. */
  replace: (key: number, fields: Fields) => void;
  move: (key: number, by: -1 | 1) => void;
  remove: (key: number) => void;
  whole: (draft: Draft) => void;
}

/** A trigger and steps being edited, and the functions that change them. */
export function useDraft(first: () => Draft): [Draft, Edits] {
  const [draft, setDraft] = useState(first);
  const edits = useMemo<Edits>(() => {
    const inSteps = (change: (steps: Draft['steps']) => Draft['steps']) =>
      setDraft((before) => ({ ...before, steps: change(before.steps) }));
    return {
      trigger: (trigger) => setDraft((before) => ({ ...before, trigger: merged(trigger, {}) })),
      add: (type, place) => inSteps((steps) => added(steps, place, newStep(type, steps, firstFields[type]))),
      change: (key, changes) => inSteps((steps) => withFields(steps, key, changes)),
      replace: (key, fields) => inSteps((steps) => replaced(steps, key, fields)),
      move: (key, by) => inSteps((steps) => moved(steps, key, by)),
      remove: (key) => inSteps((steps) => without(steps, key)),
      whole: setDraft,
    };
  }, []);
  return [draft, edits];
}
