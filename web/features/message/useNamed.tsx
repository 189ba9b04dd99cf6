import { useCallback } from 'react';
import { Link } from '../../Link.tsx';
import { useChannels, useRows } from '../../replica/hooks.ts';
import type { Named } from '../markdown/index.ts';
import { showProfile } from '../member/index.ts';
import { useUserId } from '../session/index.ts';

/** How `@ada` and `#general` show in a server: people who are known by their names, channels as links, all else as it was written. */
export const useNamed = (serverId: string): Named =>
  useCallback(
    (mark, name) =>
      mark === '@' ? <Person username={name} /> : <ChannelLink serverId={serverId} name={name} />,
    [serverId],
  );

function Person({ username }: { username: string }) {
  const userId = useUserId();
  const [user] = useRows('user', 'username', username.toLowerCase());
  if (!user) return <bdi>@{username}</bdi>;
  return (
    <button
      type="button"
      className={user.id === userId ? 'mention mention-me' : 'mention'}
      title={`@${user.username}`}
      onClick={({ currentTarget }) => showProfile(user.id, currentTarget)}
    >
      @<bdi>{user.name}</bdi>
    </button>
  );
}

function ChannelLink({ serverId, name }: { serverId: string; name: string }) {
  const channel = useChannels(serverId).find((one) => one.name === name);
  if (!channel) return <>#{name}</>;
  return (
    <Link className="mention" to={{ page: 'server', serverId, channelId: channel.id }}>
      #{name}
    </Link>
  );
}
