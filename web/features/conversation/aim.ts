import { useEffect, useRef, useState } from 'react';
import { MOVED } from '../../routes.ts';
import { type Aim, END } from './goal.ts';
import { lastPosition, positionAt, thisVisit } from './positions.ts';

interface Wanted {
  /** The message in the URL. */
  targetId: string | undefined;
  /** The marker after which messages are new. */
  since: string | undefined;
  /** False until the unread state has loaded. */
  isKnown: boolean;
}

/**
 * The position at which a list opens, or to which it scrolls when the URL changes, in order of precedence:
 * the saved position after back and reload; the message in a permalink, even if it is followed again; the
 * first new message; the position at which the user left; the end. Undefined until it is known.
 */
export function useAim(placeId: string, { targetId, since, isKnown }: Wanted): Aim | undefined {
  const kept = useRef<{ targetId: string | undefined; asked: number; aim: Aim }>(undefined);
  const [asked, setAsked] = useState(0);
  useEffect(() => {
    let { href } = location;
    // Following the same permalink again adds no history entry, but should still jump to the message.
    const moved = () => {
      if (href === location.href) setAsked((now) => now + 1);
      ({ href } = location);
    };
    addEventListener(MOVED, moved);
    return () => removeEventListener(MOVED, moved);
  }, []);

  const before = kept.current;
  if (before?.targetId === targetId && before?.asked === asked) return before.aim;
  const known = before && before.asked !== asked ? undefined : positionAt(thisVisit(), placeId);
  const aim = aimOf();
  if (aim) kept.current = { targetId, asked, aim };
  return kept.current?.aim;

  function aimOf(): Aim | undefined {
    if (known && known.id !== '') return { kind: 'kept', ...known };
    if (targetId !== undefined && !known) return { kind: 'target', id: targetId };
    if (before) return known ? END : before.aim;
    if (!isKnown) return undefined;
    if (since !== undefined) return { kind: 'new', id: since };
    const last = known ? undefined : lastPosition(placeId);
    return last ? { kind: 'kept', ...last } : END;
  }
}
