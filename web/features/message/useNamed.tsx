import { useCallback, useEffect } from 'react';
import { Link } from '../../Link.tsx';
import { useChannels, useRows, useSession } from '../../replica/hooks.ts';
import type { Rows } from '../../replica/types.ts';
import { CustomPicture, pictureOf, useCustomEmoji } from '../emoji/index.ts';
import type { Named } from '../markdown/index.ts';
import { askForMember, showProfile, useBeside } from '../member/index.ts';
import { useUserId } from '../session/index.ts';

/**
 * Renders `@ada`, `#general` and `:party_parrot:` in a server: known users as names, channels as links, custom emoji
 * as pictures, and all other text as typed.
 */
export function useNamed(serverId: string): Named {
  const custom = useCustomEmoji(serverId);
  return useCallback(
    (mark, name, tail) => {
      if (mark === ':') {
        const url = pictureOf(custom, name);
        return url && <CustomPicture text={`:${name}:`} url={url} />;
      }
      return mark === '@' ? (
        <Person serverId={serverId} name={name} tail={tail} />
      ) : (
        <ChannelLink serverId={serverId} name={name} tail={tail} />
      );
    },
    [serverId, custom],
  );
}

interface NameProps {
  serverId: string;
  name: string;
  tail: string;
}

/** Valid usernames. */
const valid = /^[a-z0-9_.-]{1,32}$/;

/** The user with a username, who is requested if unknown. */
function useUser(serverId: string, username: string): Rows['user'] | undefined {
  const session = useSession();
  const [user] = useRows('user', 'username', username);
  const isMissing = user === undefined && valid.test(username);
  useEffect(() => {
    if (isMissing) void askForMember(session, serverId, 'usernames', username);
  }, [isMissing, session, serverId, username]);
  return user;
}

function Person({ serverId, name: written, tail }: NameProps) {
  const userId = useUserId();
  const longer = useUser(serverId, tail === '' ? '' : (written + tail).toLowerCase());
  const shorter = useUser(serverId, written.toLowerCase());
  const user = longer ?? shorter;
  const { name } = useBeside(serverId, user?.id, '');
  if (!user)
    return (
      <bdi>
        @{written}
        {tail}
      </bdi>
    );
  return (
    <>
      <button
        type="button"
        className={user.id === userId ? 'mention mention-me' : 'mention'}
        title={`@${user.username}`}
        onClick={({ currentTarget }) => showProfile(user.id, currentTarget)}
      >
        @<bdi>{name}</bdi>
      </button>
      {!longer && tail}
    </>
  );
}

function ChannelLink({ serverId, name, tail }: NameProps) {
  const channels = useChannels(serverId);
  const find = (text: string) =>
    channels.find((one) => one.name === text) ??
    channels.find((one) => one.name.toLowerCase() === text.toLowerCase());
  const longer = tail === '' ? undefined : find(name + tail);
  const channel = longer ?? find(name);
  if (!channel)
    return (
      <>
        #{name}
        {tail}
      </>
    );
  return (
    <>
      <Link className="mention" to={{ page: 'server', serverId, channelId: channel.id }}>
        #{channel.name}
      </Link>
      {!longer && tail}
    </>
  );
}
