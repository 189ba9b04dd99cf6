import { useEffect } from 'react';
import { api, PalaverError } from '../../api/index.ts';
import { useActions, useRow, useSession } from '../../replica/hooks.ts';
import { composer as t } from '../../strings/en/conversation.ts';
import { Icon, IconButton, WithName } from '../../ui/index.ts';
import { lineIn, useBeside } from '../member/index.ts';
import { stopReply, useReply } from './replying/index.ts';

/** A preview of the message being replied to, above the field. */
export function ReplyLine({ serverId, placeId }: { serverId: string; placeId: string }) {
  const id = useReply(placeId);
  return id === undefined ? null : <Glimpse key={id} serverId={serverId} placeId={placeId} messageId={id} />;
}

function Glimpse({ serverId, placeId, messageId }: { serverId: string; placeId: string; messageId: string }) {
  const session = useSession();
  const { load } = useActions();
  const message = useRow('message', messageId);
  const { name } = useBeside(serverId, message?.creatorId, t.somebody);
  const isMissing = message === undefined;
  useEffect(() => {
    if (!isMissing) return;
    load(
      () => api(serverId).messageById({ messageId }),
      (row) => ({ message: [row] }),
    ).catch((error) => {
      // The message was deleted or is no longer visible, so there is nothing to reply to.
      if (error instanceof PalaverError && error.status >= 400 && error.status < 500) stopReply(placeId);
    });
  }, [isMissing, serverId, messageId, placeId, load]);
  return (
    <div className="small muted composer-reply">
      <Icon name="reply" size={16} />
      <p className="ellipsis composer-reply-text">
        <b>
          <WithName words={t.replying} values={{ name }} />
        </b>{' '}
        <bdi>{message && lineIn(session, serverId, message)}</bdi>
      </p>
      <IconButton size="small" icon="x" label={t.stopReply} keys="Esc" onClick={() => stopReply(placeId)} />
    </div>
  );
}
