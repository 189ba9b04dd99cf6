import { useState } from 'react';
import { api, type Records } from '../../api/index.ts';
import { useMay } from '../../may/index.ts';
import { useActions, useServer, useSession } from '../../replica/hooks.ts';
import { useRoute } from '../../routes.ts';
import { member as t } from '../../strings/en/member.ts';
import {
  Button,
  Confirm,
  copyText,
  IconButton,
  Menu,
  type MenuItem,
  toast,
  WithName,
} from '../../ui/index.ts';
import { useUserId } from '../session/index.ts';
import { BanDialog } from './BanDialog.tsx';

interface ProfileActionsProps {
  member: Records['ListedServerMember'];
  user: Records['User'];
  onClose: () => void;
}

/** What one may do with a member: mention them, and for those who look after a server, kick and ban. */
export function ProfileActions({ member, user, onClose }: ProfileActionsProps) {
  const { id, serverId, userId } = member;
  const route = useRoute();
  const { drafts } = useSession();
  const { saveDraft } = useActions();
  const isMe = useUserId() === userId;
  const creatorId = useServer(serverId).server?.creatorId;
  const bannable = { userId, serverCreatorId: creatorId ?? '' };
  const kick = useMay(serverId, 'serverMember delete', { ownerId: userId });
  const ban = useMay(serverId, 'serverBan insert', {}, { bannable });
  const isCreator = creatorId === userId;
  const mayKick = kick.allowed && !isMe && !isCreator;
  const mayBan = ban.allowed && !isMe && !isCreator;
  const [shown, setShown] = useState<'kick' | 'ban'>();
  const place =
    route.page !== 'server' || route.channelId === undefined
      ? undefined
      : route.threadId === undefined
        ? route.channelId
        : { threadId: route.threadId };
  const mention = () => {
    if (place === undefined) return;
    const { content } = drafts.get(typeof place === 'string' ? place : place.threadId);
    const space = content === '' || /\s$/.test(content) ? '' : ' ';
    saveDraft(place, `${content}${space}@${user.username} `);
    onClose();
  };
  const copyId = async () => {
    await copyText(userId);
    toast.show(t.copied);
  };
  const items: MenuItem[] = [
    { label: t.copyId, icon: 'copy', onSelect: () => void copyId().catch(toast.error) },
    (mayKick || mayBan) && 'line',
    mayKick && { label: t.kick, icon: 'user-x', isDanger: true, onSelect: () => setShown('kick') },
    mayBan && { label: t.ban, icon: 'ban', isDanger: true, onSelect: () => setShown('ban') },
  ];
  return (
    <footer className="profile-actions">
      {place !== undefined && !isMe && (
        <Button icon="at-sign" size="small" onClick={mention}>
          {t.mention}
        </Button>
      )}
      <Menu label={t.more} items={items} placement="below-end">
        {(trigger) => <IconButton {...trigger} icon="ellipsis" size="small" label={t.more} />}
      </Menu>
      {shown === 'kick' && (
        <Confirm
          title={<WithName words={t.kickAsk} name={user.name} />}
          text={t.kickMore}
          action={t.kick}
          isDanger
          onClose={() => setShown(undefined)}
          onConfirm={() => api(serverId).serverMemberDelete({ id }).then(onClose)}
        />
      )}
      {shown === 'ban' && (
        <BanDialog serverId={serverId} user={user} onClose={() => setShown(undefined)} onDone={onClose} />
      )}
    </footer>
  );
}
