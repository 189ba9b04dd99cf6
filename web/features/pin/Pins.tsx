import { useEffect, useRef } from 'react';
import { api, type Records } from '../../api/index.ts';
import { useMay } from '../../may/index.ts';
import { useActions, useEpoch, useRow, useRows, useSession } from '../../replica/hooks.ts';
import type { Rows } from '../../replica/types.ts';
import { common } from '../../strings/en/common.ts';
import { pin as t } from '../../strings/en/panels.ts';
import { Empty, IconButton, List, toast, useNarrow } from '../../ui/index.ts';
import { More } from '../../ui/More.tsx';
import { usePages } from '../../ui/usePages.ts';
import { Markdown } from '../markdown/index.ts';
import { lineIn } from '../member/index.ts';
import { useNamed } from '../mention/index.ts';
import { MessageCard } from '../message/card/index.tsx';

/** The pinned messages in a channel, latest pin first. */
export function Pins({ channel }: { channel: Records['Channel'] }) {
  const { id: channelId, serverId } = channel;
  const { load } = useActions();
  const epoch = useEpoch(serverId);
  const { replica } = useSession();
  const pages = usePages(`${channelId} ${epoch}`, async (cursor) => {
    const page = await load(
      () =>
        api(serverId).pinnedMessagesPage({
          channelId,
          limit: 50,
          expand: 'creator',
          ...(cursor !== undefined && { cursor }),
        }),
      rowsOf,
    );
    return page.nextCursor;
  });
  const pins = useRows('pin', 'channelId', channelId);
  const isHere = (messageId: string) =>
    replica.row('user', replica.row('message', messageId)?.creatorId ?? '') !== undefined;
  // The message or author of a new pin may not be loaded. One page contains all missing records.
  const missing = pins.filter(({ messageId }) => !isHere(messageId)).map(({ id }) => id);
  const asked = useRef('');
  const { isLoading, error, again } = pages;
  useEffect(() => {
    const ids = missing.join();
    if (ids === '' || ids === asked.current || isLoading || error !== undefined) return;
    asked.current = ids;
    again();
  });

  if (pins.length === 0 && pages.isWhole) return <Empty icon="pin" title={t.none} text={t.noneMore} />;
  return (
    <>
      <List className="side-panel-list" label={common.pins} hasTypeahead={false}>
        {pins.map((pin) => (
          <Pinned key={pin.id} pin={pin} channel={channel} />
        ))}
      </List>
      <More pages={pages} />
    </>
  );
}

function rowsOf(
  page: readonly Records['PinnedMessage'][] & { expanded?: { users: Record<string, Rows['user']> } },
) {
  return {
    message: page.map(({ pin: _pin, ...message }) => message),
    pin: page.map(({ pin, id, channelId, serverId }) => ({
      ...pin,
      serverId,
      channelId,
      messageId: id,
      updatedAt: pin.createdAt,
    })),
    user: Object.values(page.expanded?.users ?? {}),
  };
}

function Pinned({ pin, channel }: { pin: Rows['pin']; channel: Records['Channel'] }) {
  const { serverId, channelId, messageId } = pin;
  const message = useRow('message', messageId);
  const session = useSession();
  const named = useNamed(serverId, message);
  const isNarrow = useNarrow();
  const { allowed } = useMay(serverId, 'pin delete', { channel });
  if (!message || message.deleted) return null;
  const unpin = () => api(serverId).pinDelete({ id: pin.id }).catch(toast.error);
  const { threadId } = message;
  const panel = isNarrow ? undefined : ('pins' as const);
  const place = { page: 'server', serverId, channelId, panel } as const;
  return (
    <MessageCard
      message={message}
      to={threadId === null ? { ...place, messageId } : { ...place, threadId, replyId: messageId }}
      tools={
        allowed && <IconButton icon="pin-off" size="small" label={t.unpin} onClick={() => void unpin()} />
      }
    >
      {message.content === '' ? (
        <p>{lineIn(session, serverId, message)}</p>
      ) : (
        <Markdown content={message.content} named={named} />
      )}
    </MessageCard>
  );
}
