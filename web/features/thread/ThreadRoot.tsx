import { useEffect, useState } from 'react';
import { api, PalaverError, type Records } from '../../api/index.ts';
import { useActions, useRow } from '../../replica/hooks.ts';
import { thread as t } from '../../strings/en/panels.ts';
import { MessageRow } from '../message/index.ts';

/**
 * A thread's first message, and the number of replies. It stays cached while it is shown, even if the
 * channel's window has moved on.
 */
export function ThreadRoot({ thread }: { thread: Records['Thread'] }) {
  const { serverId, messageId, replyCount } = thread;
  const message = useRow('message', messageId);
  const isGone = useFound(serverId, messageId, message !== undefined);
  return (
    <div className="thread-root">
      {message && !message.deleted && (
        <MessageRow id={message.id} hasAuthor place={message.channelId} mark={0} />
      )}
      {(isGone || message?.deleted) && <p className="thread-root-gone">{t.rootGone}</p>}
      <p className="tiny muted thread-root-line">{t.replies({ count: replyCount })}</p>
    </div>
  );
}

/** Loads the message if the replica does not have it. Returns true if the server does not have it either. */
function useFound(serverId: string, messageId: string | null, isHere: boolean): boolean {
  const { load } = useActions();
  const [isGone, setGone] = useState(false);
  useEffect(() => {
    if (isHere || messageId === null) return;
    load(
      () => api(serverId).messageById({ messageId, expand: 'creator' }),
      ({ expanded, ...message }) => ({
        message: [message as Records['ShownMessage']],
        user: Object.values(expanded?.users ?? {}),
      }),
    ).catch((error: unknown) => {
      if (error instanceof PalaverError && error.status === 404) setGone(true);
    });
  }, [load, serverId, messageId, isHere]);
  return isGone && !isHere;
}
