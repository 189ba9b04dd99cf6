import { memo } from 'react';
import type { Records } from '../../../api/records.ts';
import { flagsBeyond } from '../../../may/flags.ts';
import { type Permission, useMay } from '../../../may/index.ts';
import { useServer } from '../../../replica/hooks.ts';
import { common } from '../../../strings/en/common.ts';
import { member as panel } from '../../../strings/en/panels.ts';
import { memberSettings as t } from '../../../strings/en/serverSettings.ts';
import { shortTime } from '../../../strings/format.ts';
import { Avatar, Badge, type MenuItem } from '../../../ui/index.ts';
import { Facts, Row, ruleInWords } from '../../settings/index.ts';
import { type Grants, RoleName, RowMenu } from '../../settings/server/index.ts';
import type { useAdministrators } from '../administrators/index.ts';
import { LookAlike } from '../LookAlike.tsx';
import { RolePicker } from './RolePicker.tsx';
import './members.css';

type Member = Records['ListedServerMember'];
type Role = Records['Role'];
type Act = 'kick' | 'ban' | 'nickname';

interface MemberRowProps {
  server: Records['Server'];
  member: Member;
  roles: readonly Role[];
  grants: Grants;
  areLeft: ReturnType<typeof useAdministrators>;
  onAsk: (act: Act, member: Member) => void;
}

/** A member's display name. */
export const nameOf = ({ nickname, user }: Member): string => nickname ?? user.name;

/** A member with their roles and actions. */
export const MemberRow = memo(function MemberRow({
  server,
  member,
  roles,
  grants,
  areLeft,
  onAsk,
}: MemberRowProps) {
  const { user, userId } = member;
  const own = roles.filter(({ id }) => grants.has(member, id));
  const hasAdministrator = !own.some(({ canAdmin }) => canAdmin) || areLeft({ userId });
  const items = useItems(server, member, own, roles, hasAdministrator, (act) => onAsk(act, member));
  const name = nameOf(member);
  return (
    <Row
      className="setting-member-row"
      mark={<Avatar id={userId} name={name} src={user.image} isAgent={user.type === 'agent'} />}
      title={name}
      badges={
        <>
          {server.creatorId === userId && <Badge kind="accent">{t.creator}</Badge>}
          <LookAlike of={member} />
          {user.type === 'agent' && <Badge>{common.agent}</Badge>}
          {member.unclaimed && <Badge>{panel.unclaimed}</Badge>}
        </>
      }
      note={
        <Facts
          of={[
            `@${user.username}`,
            member.nickname !== null && user.name,
            t.joined({ when: shortTime(member.createdAt) }),
          ]}
        />
      }
      actions={items && <RowMenu name={name} items={items} />}
    >
      <div className="setting-member-roles">
        {own.map((role) => (
          <span key={role.id} className="setting-member-role">
            <RoleName role={role} />
          </span>
        ))}
        <RolePicker serverId={server.id} {...{ member, roles, grants, areLeft }} />
      </div>
    </Row>
  );
});

/** The actions that the user may perform on a member; undefined if there are none. */
function useItems(
  { id: serverId, creatorId }: Records['Server'],
  { userId }: Member,
  own: readonly Role[],
  roles: readonly Role[],
  hasAdministrator: boolean,
  ask: (act: Act) => void,
): MenuItem[] | undefined {
  const isCreator = creatorId === userId;
  const isSelf = useServer(serverId).state?.standing.userId === userId;
  const ofMember = { ownerId: userId };
  const administrable = { hasAdministrator };
  const holdsFlags = { flags: flagsBeyond(roles, own) };
  const bannable = { userId, serverCreatorId: creatorId };
  const mayRename = useMay(serverId, 'serverMember update', ofMember).allowed;
  const mayKick = useMay(serverId, 'serverMember delete', ofMember, { administrable });
  const mayKickAny = useMay(serverId, 'serverMember delete', ofMember).allowed;
  const mayBan = useMay(serverId, 'serverBan insert', {}, { bannable, holdsFlags, administrable });
  const mayBanAny = useMay(serverId, 'serverBan insert').allowed;
  if (!mayRename && !mayKickAny && !mayBanAny) return undefined;
  const rename =
    mayRename && ({ label: t.nickname, icon: 'pencil', onSelect: () => ask('nickname') } as const);
  // Users can't kick or ban themselves, but they can leave the server.
  if (isSelf) return [rename];
  const whyNot = (may: Permission) => ({ heading: isCreator ? t.creatorStays : ruleInWords(may) });
  // The owner has to transfer the server before they can leave.
  const hasKick = mayKickAny && !isCreator;
  return [
    rename,
    mayRename && (hasKick || mayBanAny) && 'line',
    mayKickAny && !mayKick.allowed && whyNot(mayKick),
    hasKick && {
      label: t.kick,
      icon: 'user-x',
      isDanger: true,
      isDisabled: !mayKick.allowed,
      onSelect: () => ask('kick'),
    },
    mayBanAny && !mayBan.allowed && mayKick.allowed === mayKickAny && whyNot(mayBan),
    mayBanAny && {
      label: t.ban,
      icon: 'ban',
      isDanger: true,
      isDisabled: !mayBan.allowed,
      onSelect: () => ask('ban'),
    },
  ];
}
