import { useEffect, useState } from 'react';
import { useActions, useServers } from '../../replica/hooks.ts';
import { askFor, isKnown } from '../composer/index.ts';

/** The pause in typing after which members are asked for, in milliseconds. */
const REST_MS = 150;
/** Servers that are asked at once, at most: the one that is open, and the first of the others. */
const MOST = 8;

/**
 * Asks for the members whose names begin with what is typed: in the server that is open, and in others. Tells whether it is asking, and
 * how often answers have come.
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
  // Before anything is typed, those of the server that is open are enough.
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
        // Those who are known are found all the same.
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
