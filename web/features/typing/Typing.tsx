import { Suspense } from 'react';
import { useSession, useTyping } from '../../replica/hooks.ts';
import type { TimelineRef } from '../../replica/types.ts';
import { common } from '../../strings/en/common.ts';
import { typing as t } from '../../strings/en/conversation.ts';
import { WithName } from '../../ui/index.ts';
import { optional } from '../../ui/missingPart.ts';
import { isBlocked } from '../block/index.ts';
import { useNamesIn } from '../member/index.ts';
import { useSaid } from './useSaid.ts';
import './Typing.css';

/** Maximum number of names shown. */
const MOST = 3;
const Activities = optional(() => import('./Activities.tsx'));

/**
 * The users who are typing in a channel or thread, and the activities of its agents. Has a fixed height to
 * prevent layout shift.
 */
export function Typing({ serverId, place }: { serverId: string; place: TimelineRef }) {
  const session = useSession();
  const rows = useTyping(place).filter(({ userId }) => !isBlocked(session, userId));
  const ids = rows.filter(({ type }) => type === 'typing').map(({ userId }) => userId);
  const active = rows.filter(({ type }) => type !== 'typing');
  const names = useNamesIn(serverId, ids, common.somebody);
  const text =
    names.length === 0 ? '' : names.length > MOST ? t.many : t.are({ people: names, count: names.length });
  const said = useSaid(ids, text);
  return (
    <div className="tiny muted typing">
      {active.length > 0 && (
        <Suspense fallback={null}>
          <Activities serverId={serverId} rows={active} />
        </Suspense>
      )}
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
