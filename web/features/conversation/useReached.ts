import { useRef } from 'react';
import type { Line } from '../../replica/types.ts';
import { type Aim, END, reaches } from './goal.ts';

/**
 * The scroll target at which a list can be shown; undefined while it must stay hidden. A list opens at this
 * target, and would jump if it were shown before the messages are loaded. If they cannot be loaded, the list
 * opens at its end, or stays in place if it is already open. `tried` is the target whose messages were
 * requested, successfully or not.
 */
export function useReached(
  line: Line | undefined,
  aim: Aim | undefined,
  tried: Aim | undefined,
): Aim | undefined {
  const kept = useRef<{ asked: Aim; reached: Aim }>(undefined);
  if (line && aim && kept.current?.asked !== aim) {
    if (reaches(line, aim)) kept.current = { asked: aim, reached: aim };
    else if (tried === aim) kept.current = { asked: aim, reached: kept.current?.reached ?? END };
  }
  return kept.current?.reached;
}
