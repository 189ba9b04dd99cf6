import { useRows, useServer } from '../../replica/hooks.ts';
import { names } from '../../ui/index.ts';
import { type Group, groupText, mayMentionAll } from '../member/index.ts';
import { useUserId } from '../session/index.ts';

/** The author of a message, and its location. */
export interface Writer {
  channelId: string;
  creatorId: string;
}

/** Whether the author of a message may mention everyone. False for members who are not loaded. */
function useMayMentionAll(serverId: string, authorId: string): boolean {
  const { server, state } = useServer(serverId);
  const roles = useRows('role', 'serverId', serverId);
  const [member] = useRows('serverMember', 'serverId+userId', `${serverId}+${authorId}`);
  if (state?.standing.userId === authorId) return mayMentionAll(state.standing);
  return (
    server?.creatorId === authorId ||
    roles.some(({ id, canAdmin, canModerate }) => (canAdmin || canModerate) && member?.roleIds.includes(id))
  );
}

interface GroupMentionProps {
  serverId: string;
  group: Group;
  creatorId: string;
  /** The punctuation after the name. */
  tail: string;
}

/**
 * A mention of a group of members, highlighted if the user is one of them. A name that notifies nobody is
 * rendered as text.
 */
export function GroupMention({ serverId, group, creatorId, tail }: GroupMentionProps) {
  const userId = useUserId();
  const roleIds = useServer(serverId).state?.standing.roleIds;
  const mayAll = useMayMentionAll(serverId, creatorId);
  const text = groupText(group);
  const isAll = typeof group === 'string';
  if (isAll && !mayAll) return text + tail;
  const isMe = creatorId !== userId && (isAll || roleIds?.includes(group.id));
  return (
    <>
      <span className={names('mention', isMe && 'mention-me')}>
        {/* The colour is arbitrary text, so it must never be set as `background`, which accepts a URL. */}
        {!isAll && group.color && (
          <span className="mention-dot" style={{ backgroundColor: group.color }} aria-hidden="true" />
        )}
        <bdi>{text}</bdi>
      </span>
      {tail !== '' && text.endsWith(tail) ? null : tail}
    </>
  );
}
