import { useCallback, useEffect, useRef } from 'react';
import { useActions, usePending } from '../../replica/hooks.ts';
import type { TimelineRef } from '../../replica/types.ts';
import { toast } from '../../ui/index.ts';
import { useEdited } from '../editing/index.ts';
import { END, idAt } from './goal.ts';
import type { Goal } from './useGoal.ts';

/** Jumps to other ranges of messages. */
export function useTravel(place: TimelineRef, goal: Goal) {
  const actions = useActions();
  const failed = useCallback(
    (error: unknown) => {
      goal.drop();
      toast.error(error);
    },
    [goal.drop],
  );
  const toPresent = useCallback(() => {
    goal.go(END);
    actions.toPresent(place).catch(failed);
  }, [actions, place, goal.go, failed]);
  const toDate = useCallback(
    (at: number) => {
      const id = idAt(at);
      goal.go({ kind: 'date', id });
      actions.jump(place, id).catch(failed);
    },
    [actions, place, goal.go, failed],
  );
  return { toPresent, toDate };
}

/**
 * Jumps to the end when the user sends a message while reading further up, so the message is visible
 * immediately.
 */
export function useSentInSight(place: TimelineRef, isAtPresent: () => boolean, toPresent: () => void): void {
  const sentAt = usePending(place).at(-1)?.at ?? 0;
  const known = useRef(sentAt);
  useEffect(() => {
    if (sentAt > known.current && !isAtPresent()) toPresent();
    known.current = sentAt;
  }, [sentAt, isAtPresent, toPresent]);
}

/** Renders the user's last message, if necessary, when they press the up arrow to edit it. */
export function useEditedInSight(ids: readonly string[], shown: readonly string[], goal: Goal): void {
  const edited = useEdited();
  const known = useRef(edited);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when editing begins
  useEffect(() => {
    const isHere = edited === undefined || shown.includes(edited) || !ids.includes(edited);
    // A message can also be edited outside the list, above its thread.
    const isByArrow = document.activeElement?.matches('.composer-field');
    if (edited !== known.current && !isHere && isByArrow) goal.go({ kind: 'kept', id: edited });
    known.current = edited;
  }, [edited]);
}
