import { useEffect, useRef, useState } from 'react';
import { useAsked } from '../../../api/asked.ts';
import { api } from '../../../api/index.ts';
import { keepInTab, keptInTab } from '../../../ui/keptInTab.ts';
import type { Sample } from './load.ts';

/** Milliseconds between two looks, while the page is in sight. No event tells of these figures. */
const PAUSE = 10_000;
/** Looks that are kept: ten minutes. */
const MOST = 60;
const KEY = 'palaver-health';

/** Those of this tab at the same version of the server: they stay while one looks at another page, and through a reload. */
let kept: readonly Sample[] = keptInTab<Sample[]>(KEY) ?? [];

/** The state of the platform, with how it was while the page was open in this tab, oldest first. */
export function useSamples() {
  const asked = useAsked('health', async () => ({ ...(await api('none').platformHealth()), at: Date.now() }));
  const [samples, setSamples] = useState(kept);
  const { data, again } = asked;
  useEffect(() => {
    if (!data || data === kept.at(-1)) return;
    const isRecent = ({ at, version }: Sample) => at > data.at - MOST * PAUSE && version === data.version;
    kept = [...kept.filter(isRecent), data].slice(-MOST);
    keepInTab(KEY, kept);
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
