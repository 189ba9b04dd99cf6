import { useCallback, useEffect } from 'react';
import { Link } from '../../Link.tsx';
import { useChannels, useRow, useRows, useSession } from '../../replica/hooks.ts';
import type { Rows } from '../../replica/types.ts';
import { common } from '../../strings/en/common.ts';
import { Icon } from '../../ui/index.ts';
import { CustomPicture, pictureOf, useCustomEmoji } from '../emoji/index.ts';
import type { Named } from '../markdown/index.ts';
import { askForMember, groupNamed, showProfile, useBeside } from '../member/index.ts';
import { useUserId } from '../session/index.ts';
import { GroupMention, type Writer } from './GroupMention.tsx';

/**
 * Renders `@ada`, `#general` and `:party_parrot:` in a server: known users as names, channels as links,
 * custom emoji as pictures, and all other text as typed. Groups such as `@everyone` are rendered only if the
 * message's author is given.
 */
export function useNamed(serverId: string, by?: Writer): Named {
  const { channelId, creatorId } = by ?? {};
  const custom = useCustomEmoji(serverId);
  return useCallback(
    (mark, name, tail) => {
      if (mark === ':') {
        const url = pictureOf(custom, name);
        return url && <CustomPicture text={`:${name}:`} url={url} />;
      }
      return mark === '@' ? (
        <Member {...{ serverId, name, tail, channelId, creatorId }} />
      ) : (
        <ChannelLink serverId={serverId} name={name} tail={tail} />
      );
    },
    [serverId, custom, channelId, creatorId],
  );
}

interface NameProps {
  serverId: string;
  name: string;
  tail: string;
}

/** A user or a group of members. In direct messages, there are no groups. */
function Member({ channelId, creatorId, ...named }: NameProps & Partial<Writer>) {
  const { serverId, name, tail } = named;
  const channel = useRow('channel', channelId);
  const roles = useRows('role', 'serverId', serverId);
  const group = channel?.kind === 'dm' ? undefined : groupNamed(roles, name, name + tail);
  return group && creatorId !== undefined ? (
    <GroupMention {...{ serverId, group, creatorId, tail }} />
  ) : (
    <Person {...named} />
  );
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
        aria-label={user.type === 'agent' ? `@${name}, ${common.agent}` : undefined}
        onClick={({ currentTarget }) => showProfile(user.id, currentTarget)}
      >
        @<bdi>{name}</bdi>
        {user.type === 'agent' && <Icon name="bot" size={14} />}
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
