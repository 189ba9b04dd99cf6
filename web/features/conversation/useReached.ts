import { useRef } from 'react';
import type { Line } from '../../replica/types.ts';
import { type Aim, END, reaches } from './goal.ts';

/**
 * Where a list goes that the person sees; undefined as long as it is not to be shown. A list opens where it has to be: shown before
 * its messages are there, it would jump. It opens at its end if they cannot be had, and later stays where it is then.
 * `tried` is the aim whose messages were asked for, with or without success.
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
