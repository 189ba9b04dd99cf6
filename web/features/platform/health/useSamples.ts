import { useEffect, useRef, useState } from 'react';
import { useAsked } from '../../../api/asked.ts';
import { api } from '../../../api/index.ts';
import type { State } from './findings.ts';

/** Milliseconds between two looks, while the page is in sight. No event tells of these figures. */
const PAUSE = 10_000;
/** Looks that are kept: ten minutes. */
const MOST = 60;

/** The state of the platform, with how it was since the page was opened, oldest first. */
export function useSamples() {
  const asked = useAsked('health', async () => ({ ...(await api('none').platformHealth()), at: Date.now() }));
  const [samples, setSamples] = useState<readonly (State & { at: number })[]>([]);
  const { data, again } = asked;
  useEffect(() => {
    if (data) setSamples((before) => [...before, data].slice(-MOST));
  }, [data]);
  const latest = useRef(again);
  latest.current = again;
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) latest.current();
    }, PAUSE);
    return () => clearInterval(timer);
  }, []);
  return { ...asked, samples };
}
