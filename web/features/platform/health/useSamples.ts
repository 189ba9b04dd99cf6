import { useEffect, useRef, useState } from 'react';
import { useAsked } from '../../../api/asked.ts';
import { api } from '../../../api/index.ts';
import type { Sample } from './load.ts';

/** Milliseconds between two looks, while the page is in sight. No event tells of these figures. */
const PAUSE = 10_000;
/** Looks that are kept: ten minutes. */
const MOST = 60;
/** Those of this tab: they stay while one looks at another page. */
let kept: readonly Sample[] = [];

/** The state of the platform, with how it was while the page was open in this tab, oldest first. */
export function useSamples() {
  const asked = useAsked('health', async () => ({ ...(await api('none').platformHealth()), at: Date.now() }));
  const [samples, setSamples] = useState(kept);
  const { data, again } = asked;
  useEffect(() => {
    if (!data || data === kept.at(-1)) return;
    kept = [...kept.filter(({ at }) => at > data.at - MOST * PAUSE), data].slice(-MOST);
    setSamples(kept);
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
