import { useEffect, useRef, useState } from 'react';
import { useAsked } from '../../../api/asked.ts';
import { api } from '../../../api/index.ts';
import { keepInTab, keptInTab } from '../../../ui/keptInTab.ts';
import type { Sample } from './load.ts';

/** Polling interval in milliseconds while the page is visible. Events do not report these figures. */
const PAUSE = 10_000;
/** Maximum number of samples to keep: ten minutes' worth. */
const MOST = 60;
const KEY = 'palaver-health';

/** The samples that this tab took from the current server version. They survive navigation and reloads. */
let kept: readonly Sample[] = keptInTab<Sample[]>(KEY) ?? [];

/** The platform's health, and this tab's samples from the last ten minutes, oldest first. */
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
