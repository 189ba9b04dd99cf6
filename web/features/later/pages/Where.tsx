import type { Records } from '../../../api/records.ts';
import { useRow } from '../../../replica/hooks.ts';
import { later as t } from '../../../strings/en/writing.ts';
import { placeName, useChannelName } from '../../direct/index.ts';

interface Place {
  serverId: string;
  /** Omitted if the channel is shown elsewhere. */
  channelId?: string;
  threadId?: string | null | undefined;
}

/** The name of a channel that the user can see, with `#`, or of a direct message. Otherwise undefined. */
export function usePlaceName(channelId: string): string | undefined {
  const channel = useRow('channel', channelId);
  const name = useChannelName(channel ?? none);
  return channel && placeName(channel, name);
}
const none: Pick<Records['Channel'], 'name' | 'serverId' | 'memberIds'> = {
  ...{ name: '', serverId: '', memberIds: null },
};

/** The location of a message: its channel or direct message, and its server. */
export function Where({ serverId, channelId, threadId }: Place) {
  const name = usePlaceName(channelId ?? '');
  const server = useRow('server', serverId);
  const parts = [name, threadId && t.inThread, server?.name].filter(Boolean) as string[];
  return (
    <span className="ellipsis">
      {parts.map((part, at) => (
        <span key={part}>
          {at > 0 && ' · '}
          <bdi>{part}</bdi>
        </span>
      ))}
    </span>
  );
}
