import { useEffect, useState } from 'react';
import { useActions, useServers } from '../../replica/hooks.ts';
import { askFor, isKnown } from '../composer/index.ts';

/** Debounce for the search, in milliseconds. */
const REST_MS = 150;
/** The maximum number of servers searched at once. The open one comes first. */
const MOST = 8;

/**
 * Searches the open server, and others, for members whose names start with the typed text. Returns whether
 * a search is pending, and how many searches have finished.
 */
export function useFoundPeople(
  typed: string,
  serverId: string | undefined,
): { isAsking: boolean; count: number } {
  const { load } = useActions();
  const servers = useServers();
  const [count, setCount] = useState(0);
  const [isAsking, setAsking] = useState(false);
  const sign = typed.trim().charAt(0);
  const isMeant = sign !== '#' && sign !== '>';
  const words = isMeant ? typed.trim().replace(/^@/, '').trim() : '';
  const others = servers.map(({ id }) => id).filter((id) => id !== serverId);
  // Before anything is typed, only the open server is searched.
  const asked = [...(serverId === undefined ? [] : [serverId]), ...(words === '' ? [] : others)]
    .slice(0, MOST)
    .join(' ');
  useEffect(() => {
    const unknown = asked.split(' ').filter((id) => id !== '' && !isKnown(id, words));
    if (!isMeant || unknown.length === 0) return setAsking(false);
    let isOver = false;
    setAsking(true);
    const timer = setTimeout(
      async () => {
        // Failures are not shown, because loaded members are still found.
        await Promise.allSettled(unknown.map((id) => askFor(load, id, words)));
        setCount((now) => now + 1);
        if (!isOver) setAsking(false);
      },
      words === '' ? 0 : REST_MS,
    );
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [load, asked, words, isMeant]);
  return { isAsking, count };
}
