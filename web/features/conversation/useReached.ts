import { useRef } from 'react';
import type { Line } from '../../replica/types.ts';
import { type Aim, END, reaches } from './goal.ts';

/**
 * The aim of a list that can be shown; undefined while it must not be. A list opens at its aim: shown before the messages are loaded, it
 * would jump. If they cannot be loaded, it opens at its end, or later stays where it is. `tried` is the aim whose messages were
 * requested, with or without success.
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
