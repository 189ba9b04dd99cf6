import { useEffect } from 'react';
import type { Records } from '../../api/records.ts';
import { usePresence, useRow, useSession } from '../../replica/hooks.ts';
import { common } from '../../strings/en/common.ts';
import { member as t } from '../../strings/en/panels.ts';
import { dateTime, day } from '../../strings/format.ts';
import { type Anchor, Avatar, Badge, Popover, Spinner, WithName } from '../../ui/index.ts';
import { useBeside } from './beside.ts';
import { ProfileActions } from './ProfileActions.tsx';
import { ProfileRoles } from './ProfileRoles.tsx';
import { useMember } from './useMember.ts';
import './ProfileCard.css';

interface ProfileCardProps {
  userId: string;
  serverId: string;
  anchor: Anchor;
  onClose: () => void;
}

/** A member's profile: name, presence, roles and actions. A bottom sheet on a phone. */
export default function ProfileCard({ userId, serverId, anchor, onClose }: ProfileCardProps) {
  const user = useRow('user', userId);
  const { member, isLoading } = useMember(serverId, userId);
  const { actions } = useSession();
  useEffect(() => actions.watchPresence(serverId, [userId]), [actions, serverId, userId]);
  return (
    <Popover
      anchor={anchor}
      onClose={onClose}
      label={user?.name ?? t.profile}
      className="profile"
      placement="end"
    >
      {user ? (
        <>
          <Head user={user} member={member} serverId={serverId} />
          {member ? (
            <>
              <ProfileRoles member={member} />
              <p className="small muted profile-joined" title={dateTime(member.createdAt)}>
                {t.joined({ on: day(member.createdAt) })}
              </p>
              {(member.timeoutUntil ?? 0) > Date.now() && (
                <p className="small muted profile-joined">
                  {t.timedOut({ when: dateTime(member.timeoutUntil as number) })}
                </p>
              )}
              {member.unclaimed && <p className="small muted profile-joined">{t.unclaimedMore}</p>}
              <ProfileActions member={member} user={user} onClose={onClose} />
            </>
          ) : (
            <p className="small muted profile-joined">{isLoading ? <Spinner size={16} /> : t.noMember}</p>
          )}
        </>
      ) : (
        <p className="small muted profile-joined">{isLoading ? <Spinner size={16} /> : t.nobody}</p>
      )}
    </Popover>
  );
}

interface HeadProps {
  user: Records['User'];
  member: Records['ListedServerMember'] | undefined;
  serverId: string;
}

function Head({ user, member, serverId }: HeadProps) {
  const presence = usePresence(serverId, user.id);
  const isAgent = user.type === 'agent';
  return (
    <header className="profile-head">
      <Avatar
        id={user.id}
        name={user.name}
        src={user.image}
        size={64}
        isAgent={isAgent}
        {...(presence && { presence: presence.status })}
      />
      <div className="profile-names">
        <strong className="profile-name">
          <bdi>{member?.nickname ?? user.name}</bdi>
          {isAgent && <Badge>{common.agent}</Badge>}
        </strong>
        <span className="small muted profile-username">
          <bdi>@{user.username}</bdi>
          {member?.nickname && <bdi>{user.name}</bdi>}
        </span>
      </div>
      {isAgent && user.creatorId && <Creator serverId={serverId} userId={user.creatorId} />}
      {member?.lookAlike && <Resembled of={member} />}
      {presence?.text && <p className="small profile-status">{presence.text}</p>}
    </header>
  );
}

/** The user who created an agent. */
function Creator({ serverId, userId }: { serverId: string; userId: string }) {
  const { name } = useBeside(serverId, userId, common.somebody);
  return (
    <p className="small muted profile-status">
      <WithName words={t.createdBy} values={{ name }} />
    </p>
  );
}

/** The user whose name the member's name resembles. */
function Resembled({ of: { serverId, lookAlike } }: { of: Records['ListedServerMember'] }) {
  const { user, name } = useBeside(serverId, lookAlike?.userId ?? undefined, '');
  return (
    <p className="small profile-status">
      {lookAlike?.of === 'member' && user ? (
        <WithName words={t.lookAlike.named} values={{ name, username: user.username }} />
      ) : (
        t.lookAlike[lookAlike?.of ?? 'member']
      )}
    </p>
  );
}
