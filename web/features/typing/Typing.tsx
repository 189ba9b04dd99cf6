import { useEffect, useRef, useState } from 'react';
import { useTyping } from '../../replica/hooks.ts';
import type { TimelineRef } from '../../replica/types.ts';
import { common } from '../../strings/en/common.ts';
import { typing as t } from '../../strings/en/conversation.ts';
import { WithName } from '../../ui/index.ts';
import { useNamesIn } from '../member/index.ts';
import './Typing.css';

/** More than these are not named. */
const MOST = 3;
/** Somebody who pauses and goes on is not announced again within this, in milliseconds. */
const SAID_MS = 30_000;

/** Says who else is typing in a channel or a thread. Its height is always the same, so that nothing moves. */
export function Typing({ serverId, place }: { serverId: string; place: TimelineRef }) {
  const people = useTyping(place);
  const ids = people.map(({ userId }) => userId);
  const names = useNamesIn(serverId, ids, common.somebody);
  const text =
    names.length === 0 ? '' : names.length > MOST ? t.many : t.are({ people: names, count: names.length });
  const said = useSaid(ids, text);
  return (
    <div className="tiny muted typing">
      {text !== '' && (
        <>
          <span className="typing-dots" aria-hidden="true">
            <span />
            <span />
            <span />
          </span>
          <span className="ellipsis" aria-hidden="true">
            {names.length > MOST ? (
              text
            ) : (
              <WithName
                words={({ people }) => t.are({ people, count: names.length })}
                values={{ people: names }}
              />
            )}
          </span>
        </>
      )}
      <span className="only-read" role="status">
        {said}
      </span>
    </div>
  );
}

/** The text for those who hear it: only when somebody begins who was not typing lately. */
function useSaid(ids: readonly string[], text: string): string {
  const [said, setSaid] = useState('');
  const times = useRef(new Map<string, number>());
  const key = ids.join(',');
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when somebody begins or ends
  useEffect(() => {
    const now = Date.now();
    const isNew = ids.some((id) => now - (times.current.get(id) ?? Number.NEGATIVE_INFINITY) > SAID_MS);
    for (const id of ids) times.current.set(id, now);
    setSaid((before) => (ids.length === 0 ? '' : isNew ? text : before));
  }, [key, text]);
  return said;
}
