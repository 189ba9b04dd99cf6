import { useEffect, useState } from 'react';
import { api, PalaverError } from '../../../api/index.ts';
import { useServer, useSession } from '../../../replica/hooks.ts';
import type { Session } from '../../../replica/index.ts';
import { navigate } from '../../../routes.ts';
import { common } from '../../../strings/en/common.ts';
import { messageGone as t } from '../../../strings/en/conversation.ts';
import { copyText, toast } from '../../../ui/index.ts';
import { putInto } from '../../composer/index.ts';
import { type Edited, editedNow, editedText, stopEditing } from '../../editing/index.ts';

/** Tells the user that the message they are editing was deleted, and offers them the text they typed. */
function tell({ replica }: Session, { id, serverId, channelId, threadId }: Edited): void {
  const text = editedText(id)?.trim();
  stopEditing(id);
  if (!text) return void toast.show(t.gone);
  const hasPlace = () =>
    replica.row('channel', channelId) && (threadId === null || replica.row('thread', threadId));
  const write = () => {
    navigate({ page: 'server', serverId, channelId, threadId: threadId ?? undefined });
    putInto(threadId ?? channelId, text);
  };
  const copy = async () => {
    await copyText(text);
    toast.show(common.copied);
  };
  toast.show(t.gone, {
    kind: 'bad',
    action: hasPlace() ? { label: t.write, onSelect: write } : { label: t.copy, onSelect: () => void copy() },
  });
}

/**
 * Watches the message being edited, because another user may delete it or its channel. Rendered once, next
 * to the page.
 */
export function EditedGone() {
  const session = useSession();
  // The message may have been deleted while the page was closed.
  const [kept] = useState(editedNow);
  const isHere = useServer(kept?.serverId ?? '').state !== undefined;
  useEffect(() => {
    if (!kept || !isHere) return;
    api(kept.serverId)
      .messageById({ messageId: kept.id })
      .catch((error) => {
        if (error instanceof PalaverError && error.status === 404 && editedNow() === kept)
          tell(session, kept);
      });
  }, [session, kept, isHere]);
  useEffect(
    () =>
      session.onEvent(({ type, data }) => {
        const now = editedNow();
        if (!now || !/^(message|channel|thread)\.deleted$/.test(type)) return;
        const { id } = data as { id: string };
        if ([now.id, now.channelId, now.threadId].includes(id)) tell(session, now);
      }),
    [session],
  );
  return null;
}
