import { useEffect } from 'react';
import type { Records } from '../../api/records.ts';
import { useActions, usePresence } from '../../replica/hooks.ts';
import { Avatar } from '../../ui/index.ts';
import { useOthers } from './names.ts';

/** The presence of the other member of a direct message. Undefined for a group, and until it has loaded. */
export function useDirectPresence(channel: Records['Channel']) {
  const { serverId } = channel;
  const [first, second] = useOthers(channel);
  const userId = second ? undefined : first?.id;
  const { watchPresence } = useActions();
  useEffect(
    () => (userId === undefined ? undefined : watchPresence(serverId, [userId])),
    [watchPresence, serverId, userId],
  );
  return usePresence(serverId, userId ?? '');
}

/** A direct message's picture: its own, or that of the other member with their presence. */
export function DirectMark({ channel, size }: { channel: Records['Channel']; size: number }) {
  const { id, name, image } = channel;
  const others = useOthers(channel);
  const only = others.length === 1 ? others[0] : undefined;
  const presence = useDirectPresence(channel)?.status;
  return (
    <Avatar
      id={only?.id ?? id}
      name={name || others.map((other) => other.name).join(' ')}
      src={image ?? only?.user?.image}
      size={size}
      isAgent={only?.user?.type === 'agent'}
      {...(presence && { presence })}
    />
  );
}
