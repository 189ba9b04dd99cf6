import { type RefObject, useEffect, useRef, useState } from 'react';
import { useUnreadIn } from '../../replica/hooks.ts';
import type { TimelineRef } from '../../replica/types.ts';
import { conversation as t } from '../../strings/en/conversation.ts';
import { upTo999 } from '../../strings/format.ts';
import { Button } from '../../ui/index.ts';

/** New messages that are more than this many px below the viewport are treated as out of view. */
const NEAR = 40;

interface PresentProps {
  place: TimelineRef;
  scroller: RefObject<HTMLElement | null>;
  /** True if the window includes the latest messages. */
  isAtEnd: boolean;
  onPresent: () => void;
}

/**
 * A button that jumps to the latest messages, with the unread count. Shown while unread messages are out of
 * view, or while the latest message is more than a screen away.
 */
export function Present({ place, scroller, isAtEnd, onPresent }: PresentProps) {
  const unread = useUnreadIn(place);
  const [isFar, setFar] = useState(false);
  const look = useRef(() => {});
  look.current = () => {
    const box = scroller.current;
    if (!box) return;
    const below = box.scrollHeight - box.scrollTop - box.clientHeight;
    setFar(below > (unread > 0 ? NEAR : box.clientHeight));
  };
  useEffect(() => {
    const box = scroller.current;
    const scrolled = () => look.current();
    box?.addEventListener('scroll', scrolled, { passive: true });
    return () => box?.removeEventListener('scroll', scrolled);
  }, [scroller]);
  // Runs after every render, which includes new messages and changed counts.
  useEffect(() => look.current());
  if (isAtEnd && !isFar) return null;
  return (
    <div className="timeline-present">
      <Button icon="arrow-down" size="small" onClick={onPresent}>
        {unread > 999
          ? t.toManyNew({ count: upTo999(unread) })
          : unread > 0
            ? t.toNew({ count: unread })
            : t.toPresent}
      </Button>
    </div>
  );
}
