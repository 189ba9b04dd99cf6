import { useEffect, useState } from 'react';

/** Debounce in ms. */
const PAUSE = 200;

/** Debounces a text. */
export function useRested(text: string): string {
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = setTimeout(setRested, PAUSE, text);
    return () => clearTimeout(timer);
  }, [text]);
  return rested;
}
