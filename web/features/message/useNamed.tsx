import { useCallback, useEffect } from 'react';
import { Link } from '../../Link.tsx';
import { useChannels, useRows, useSession } from '../../replica/hooks.ts';
import type { Named } from '../markdown/index.ts';
import { askForMember, showProfile, useBeside } from '../member/index.ts';
import { useUserId } from '../session/index.ts';

/**
 * Renders `@ada` and `#general` in a server: known users as names, channels as links, and everything else
 * as it was typed.
 */
export const useNamed = (serverId: string): Named =>
  useCallback(
    (mark, name) =>
      mark === '@' ? (
        <Person serverId={serverId} username={name} />
      ) : (
        <ChannelLink serverId={serverId} name={name} />
      ),
    [serverId],
  );

/** Valid usernames. */
const valid = /^[a-z0-9_.-]{1,32}$/;

function Person({ serverId, username: written }: { serverId: string; username: string }) {
  const session = useSession();
  const userId = useUserId();
  const username = written.toLowerCase();
  const [user] = useRows('user', 'username', username);
  const { name } = useBeside(serverId, user?.id, '');
  const isMissing = user === undefined && valid.test(username);
  useEffect(() => {
    if (isMissing) void askForMember(session, serverId, 'usernames', username);
  }, [isMissing, session, serverId, username]);
  if (!user) return <bdi>@{written}</bdi>;
  return (
    <button
      type="button"
      className={user.id === userId ? 'mention mention-me' : 'mention'}
      title={`@${user.username}`}
      onClick={({ currentTarget }) => showProfile(user.id, currentTarget)}
    >
      @<bdi>{name}</bdi>
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
