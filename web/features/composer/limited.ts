import { useEffect } from 'react';
import { onLimited } from '../../api/index.ts';
import { createStore } from '../../ui/index.ts';

/** When the rate limit on the user's messages ends, in milliseconds since the Unix epoch; 0 if there is none. */
const until = createStore(0);

onLimited(({ path, method, seconds }) => {
  if (method === 'POST' && path === '/api/v1/messages') until.set(Date.now() + seconds * 1_000);
});

/** The seconds until the rate limit on messages ends; 0 if there is none. */
export function useWait(): number {
  const at = until.use();
  useEffect(() => {
    if (at === 0) return;
    const timer = setTimeout(() => until.set(0), Math.max(0, at - Date.now()));
    return () => clearTimeout(timer);
  }, [at]);
  return at === 0 ? 0 : Math.max(1, Math.ceil((at - Date.now()) / 1_000));
}
