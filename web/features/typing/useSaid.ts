import { useEffect, useRef, useState } from 'react';

/** Users who pause and resume within this time, in ms, are not announced again. */
const SAID_MS = 30_000;

/** The text of the live region: updated when a user who was not active recently starts, empty if nobody is active. */
export function useSaid(ids: readonly string[], text: string): string {
  const [said, setSaid] = useState('');
  const times = useRef(new Map<string, number>());
  const key = ids.join(',');
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a user starts or stops
  useEffect(() => {
    const now = Date.now();
    const isNew = ids.some((id) => now - (times.current.get(id) ?? Number.NEGATIVE_INFINITY) > SAID_MS);
    for (const id of ids) times.current.set(id, now);
    setSaid((before) => (ids.length === 0 ? '' : isNew ? text : before));
  }, [key, text]);
  return said;
}
