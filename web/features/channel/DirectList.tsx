import { useMemo } from 'react';
import { Link } from '../../Link.tsx';
import { useConversations } from '../../replica/hooks.ts';
import { direct as t } from '../../strings/en/frame.ts';
import { IconButton, List } from '../../ui/index.ts';
import { newMessage } from '../direct/index.ts';
import { ChannelRow } from './ChannelRow.tsx';

/** The maximum number of direct messages shown below the channels. The full list has its own page. */
const MOST = 10;

/** A server's latest direct messages. The open one is always shown. */
export function DirectList({ serverId, channelId }: { serverId: string; channelId: string | undefined }) {
  const all = useConversations(useMemo(() => [serverId], [serverId]));
  const shown = all.filter(({ id }, at) => at < MOST || id === channelId);
  return (
    <>
      <div className="channel-list-head">
        <h2>{t.title}</h2>
        <IconButton icon="plus" size="small" label={t.start} onClick={() => newMessage(serverId)} />
      </div>
      {shown.length > 0 && (
        <List className="channel-list-rows" label={t.title}>
          {shown.map((channel) => (
            <ChannelRow key={channel.id} channel={channel} isCurrent={channel.id === channelId} />
          ))}
          {shown.length < all.length && (
            <li>
              <Link to={{ page: 'direct' }} className="channel-row" data-item>
                {t.seeAll({ count: all.length })}
              </Link>
            </li>
          )}
        </List>
      )}
    </>
  );
}
