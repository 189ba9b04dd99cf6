import { api, type Records } from '../../api/index.ts';
import { flagsBeyond } from '../../may/flags.ts';
import { useMay } from '../../may/index.ts';
import { useActions, useRows, useServer, useSession } from '../../replica/hooks.ts';
import { useRoute } from '../../routes.ts';
import { block as words } from '../../strings/en/account.ts';
import { common } from '../../strings/en/common.ts';
import { member as t } from '../../strings/en/panels.ts';
import {
  Button,
  confirm,
  copyText,
  IconButton,
  Menu,
  type MenuItem,
  openDialog,
  toast,
  WithName,
} from '../../ui/index.ts';
import { askToBlock, unblock } from '../block/ask/index.tsx';
import { useIsBlocked } from '../block/index.ts';
import { useUserId } from '../session/index.ts';
import { useAdministrators } from './administrators/index.ts';
import { BanDialog } from './BanDialog.tsx';
import { TimeOutDialog } from './TimeOutDialog.tsx';
import { openDirect } from './write.ts';

const moderates = ({ canModerate, canAdmin }: Records['Role']) => canModerate || canAdmin;

interface ProfileActionsProps {
  member: Records['ListedServerMember'];
  user: Records['User'];
  onClose: () => void;
}

/**
 * Whether the user may kick, ban or time out a member, and whether the member is protected because they are the
 * last admin.
 */
function usePartings({ serverId, userId, roleIds }: ProfileActionsProps['member']) {
  const isMe = useUserId() === userId;
  const creatorId = useServer(serverId).server?.creatorId;
  const bannable = { userId, serverCreatorId: creatorId ?? '' };
  const roles = useRows('role', 'serverId', serverId);
  const own = roles.filter((role) => roleIds.includes(role.id));
  const kick = useMay(serverId, 'serverMember delete', { ownerId: userId });
  const holdsFlags = { flags: flagsBeyond(roles, own) };
  const ban = useMay(serverId, 'serverBan insert', {}, { bannable, holdsFlags });
  // Moderators and the server's creator can't be timed out.
  const timesOut = { userId, isModerator: creatorId === userId || own.some(moderates) };
  const timeOut = useMay(serverId, 'serverMember update', { ownerId: userId }, { timesOut });
  const administers = own.some(({ canAdmin }) => canAdmin);
  const areLeft = useAdministrators(serverId, administers && kick.allowed);
  const isOther = !isMe && creatorId !== userId;
  return {
    mayKick: kick.allowed && isOther,
    mayBan: ban.allowed && isOther,
    mayTimeOut: timeOut.allowed && isOther,
    isKept: administers && !areLeft({ userId }),
  };
}

/**
 * Returns a function that mentions a member in the draft of the open channel or thread. Undefined if none
 * is open.
 */
function useMention({ username }: Records['User'], onDone: () => void): (() => void) | undefined {
  const route = useRoute();
  const { drafts } = useSession();
  const { saveDraft } = useActions();
  if (route.page !== 'server' || route.channelId === undefined) return undefined;
  const { channelId, threadId } = route;
  return () => {
    const { content } = drafts.get(threadId ?? channelId);
    const space = content === '' || /\s$/.test(content) ? '' : ' ';
    saveDraft(threadId === undefined ? channelId : { threadId }, `${content}${space}@${username} `);
    onDone();
  };
}

/** The actions for a member, such as messaging, mentioning or banning them. */
export function ProfileActions({ member, user, onClose }: ProfileActionsProps) {
  const { id, serverId, userId } = member;
  const isMe = useUserId() === userId;
  const { mayKick, mayBan, mayTimeOut, isKept } = usePartings(member);
  const isTimedOut = (member.timeoutUntil ?? 0) > Date.now();
  const mention = useMention(user, onClose);
  const session = useSession();
  const blocks = useIsBlocked(userId);
  const mayWrite = useServer(serverId).server?.directAgents || user.type === 'person';
  const copyId = async () => {
    await copyText(userId);
    toast.show(common.copied);
  };
  const items: MenuItem[] = [
    { label: t.copyId, icon: 'copy', onSelect: () => void copyId().catch(toast.error) },
    !isMe && 'line',
    !isMe && {
      label: blocks ? words.unblock : words.block,
      icon: blocks ? 'eye' : 'eye-off',
      isDanger: !blocks,
      onSelect: () => (blocks ? void unblock(user).catch(toast.error) : askToBlock(session, user)),
    },
    (mayKick || mayBan || mayTimeOut) && 'line',
    mayTimeOut && {
      label: isTimedOut ? t.timeOutEnd : t.timeOut,
      icon: 'clock',
      onSelect: () =>
        isTimedOut
          ? void api(serverId).serverMemberUpdate({ id, timeoutUntil: null }).catch(toast.error)
          : openDialog((close) => <TimeOutDialog member={member} name={user.name} onClose={close} />),
    },
    isKept && (mayKick || mayBan) && { heading: t.lastAdmin },
    mayKick && {
      label: t.kick,
      icon: 'user-x',
      isDanger: true,
      isDisabled: isKept,
      onSelect: () =>
        confirm.ask({
          title: <WithName words={t.kickAsk} values={{ name: user.name }} />,
          text: t.kickMore,
          action: t.kick,
          isDanger: true,
          onConfirm: () => api(serverId).serverMemberDelete({ id }),
        }),
    },
    mayBan && {
      label: t.ban,
      icon: 'ban',
      isDanger: true,
      isDisabled: isKept,
      onSelect: () => openDialog((close) => <BanDialog serverId={serverId} user={user} onClose={close} />),
    },
  ];
  return (
    <footer className="profile-actions">
      {!isMe && mayWrite && (
        <Button
          icon="message-square"
          size="small"
          onClick={() => openDirect(session, serverId, [userId]).then(onClose, toast.error)}
        >
          {t.write}
        </Button>
      )}
      {mention && !isMe && (
        <Button icon="at-sign" size="small" onClick={mention}>
          {t.mention}
        </Button>
      )}
      <Menu label={t.more} items={items} placement="below-end">
        {(trigger) => <IconButton {...trigger} icon="ellipsis" size="small" label={t.more} />}
      </Menu>
    </footer>
  );
}
