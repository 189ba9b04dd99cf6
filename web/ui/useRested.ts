import { useEffect, useState } from 'react';

/** Milliseconds after the last letter until it is searched. */
const PAUSE = 200;

/** A text that follows what is typed once that has rested. */
export function useRested(text: string): string {
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = setTimeout(setRested, PAUSE, text);
    return () => clearTimeout(timer);
  }, [text]);
  return rested;
}
