import { useEffect, useRef, useState } from 'react';
import { useSession, useTyping } from '../../replica/hooks.ts';
import type { TimelineRef } from '../../replica/types.ts';
import { common } from '../../strings/en/common.ts';
import { typing as t } from '../../strings/en/conversation.ts';
import { WithName } from '../../ui/index.ts';
import { isBlocked } from '../block/index.ts';
import { useNamesIn } from '../member/index.ts';
import './Typing.css';

/** Maximum number of names shown. */
const MOST = 3;
/** How long, in ms, before a user who pauses and resumes is announced again. */
const SAID_MS = 30_000;

/** The users who are typing in a channel or thread. Has a fixed height to prevent layout shift. */
export function Typing({ serverId, place }: { serverId: string; place: TimelineRef }) {
  const session = useSession();
  const ids = useTyping(place)
    .map(({ userId }) => userId)
    .filter((userId) => !isBlocked(session, userId));
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

/** The text of the live region. It is only updated when a user who was not typing recently starts. */
function useSaid(ids: readonly string[], text: string): string {
  const [said, setSaid] = useState('');
  const times = useRef(new Map<string, number>());
  const key = ids.join(',');
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a user starts or stops typing
  useEffect(() => {
    const now = Date.now();
    const isNew = ids.some((id) => now - (times.current.get(id) ?? Number.NEGATIVE_INFINITY) > SAID_MS);
    for (const id of ids) times.current.set(id, now);
    setSaid((before) => (ids.length === 0 ? '' : isNew ? text : before));
  }, [key, text]);
  return said;
}
