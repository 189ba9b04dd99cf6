import { useEffect, useMemo, useState } from 'react';
import type { Records } from '../../api/records.ts';
import { useMembers, useSession, useUsers } from '../../replica/hooks.ts';
import type { Session } from '../../replica/index.ts';
import { message } from '../../strings/en/conversation.ts';
import { list } from '../../strings/format.ts';
import { askForMember, nameIn } from '../member/index.ts';
import { useUserId } from '../session/index.ts';

type Channel = Records['Channel'];

/** A member of a direct message other than the user. */
export interface Other {
  id: string;
  /** An ellipsis while loading. */
  name: string;
  user: Records['User'] | undefined;
  /** True if they are no longer a member of the server. */
  hasLeft: boolean;
}

const nobody: readonly string[] = [];

/** The other members of a direct message, who are requested if not loaded. Empty for a channel. */
export function useOthers({ serverId, memberIds }: Pick<Channel, 'serverId' | 'memberIds'>): Other[] {
  const session = useSession();
  const userId = useUserId();
  const ids = useMemo(() => memberIds?.filter((id) => id !== userId) ?? nobody, [memberIds, userId]);
  const users = useUsers(ids);
  const members = useMembers(serverId, ids);
  const [answered, setAnswered] = useState('');
  const missing = ids.filter((_, at) => members[at] === undefined).join();
  useEffect(() => {
    if (missing === '') return;
    const asking = missing.split(',').map((id) => askForMember(session, serverId, 'userIds', id));
    void Promise.all(asking).then(() => setAnswered(missing));
  }, [missing, session, serverId]);
  const isAnswered = missing !== '' && missing === answered;
  return ids.map((id, at) => ({
    id,
    name: members[at]?.nickname ?? users[at]?.name ?? (isAnswered ? message.gone : '…'),
    user: users[at],
    hasLeft: isAnswered && members[at] === undefined,
  }));
}

/** The name of a channel. A direct message without a name is named after its other members. */
export function useChannelName(channel: Pick<Channel, 'name' | 'serverId' | 'memberIds'>): string {
  const others = useOthers(channel);
  return channel.name || list(others.map(({ name }) => name));
}

/** Like `useChannelName`, but for use outside components. Uses only the members that are loaded. */
export const channelName = (session: Session, { name, serverId, memberIds }: Channel): string =>
  name ||
  list(
    (memberIds ?? [])
      .filter((id) => id !== session.replica.userId)
      .map((id) => nameIn(session, serverId, id) ?? '…'),
  );

/** The given name, prefixed with `#` for a channel but not for a direct message. */
export const placeName = (channel: Pick<Channel, 'kind'>, name: string): string =>
  channel.kind === 'dm' ? name : `#${name}`;
