import { useEffect, useState } from 'react';

/** Debounce in ms. */
const PAUSE = 200;

/** Debounces text. */
export function useRested(text: string, pause = PAUSE): string {
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = setTimeout(setRested, pause, text);
    return () => clearTimeout(timer);
  }, [text, pause]);
  return rested;
}
