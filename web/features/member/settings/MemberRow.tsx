import { memo } from 'react';
import type { Records } from '../../../api/records.ts';
import { flagsBeyond } from '../../../may/flags.ts';
import { type Permission, useMay } from '../../../may/index.ts';
import { useServer } from '../../../replica/hooks.ts';
import { memberSettings as t } from '../../../strings/en/memberSettings.ts';
import { serverSettings } from '../../../strings/en/serverSettings.ts';
import { shortTime } from '../../../strings/format.ts';
import { Avatar, Badge, IconButton, Menu, type MenuItem } from '../../../ui/index.ts';
import { Facts, Row, ruleInWords } from '../../settings/index.ts';
import type { Grants } from '../../settings/server/index.ts';
import { RoleName } from '../../settings/server/index.ts';
import type { useAdministrators } from '../index.ts';
import { RolePicker } from './RolePicker.tsx';
import './members.css';

type Member = Records['ListedServerMember'];

interface MemberRowProps {
  server: Records['Server'];
  member: Member;
  roles: readonly Records['Role'][];
  grants: Grants;
  areLeft: ReturnType<typeof useAdministrators>;
  onAsk: (act: 'kick' | 'ban' | 'nickname', member: Member) => void;
}

/** The name of a member in their server. */
export const nameOf = ({ nickname, user }: Member): string => nickname ?? user.name;

/** A member: who they are, their roles, and what may be done about them. */
export const MemberRow = memo(function MemberRow({
  server,
  member,
  roles,
  grants,
  areLeft,
  onAsk,
}: MemberRowProps) {
  const { user, userId } = member;
  const isCreator = server.creatorId === userId;
  const isSelf = useServer(server.id).state?.standing.userId === userId;
  const mayRename = useMay(server.id, 'serverMember update', { ownerId: userId });
  const own = roles.filter(({ id }) => grants.has(member, id));
  const administrable = { hasAdministrator: !own.some(({ canAdmin }) => canAdmin) || areLeft({ userId }) };
  const mayKick = useMay(server.id, 'serverMember delete', { ownerId: userId }, { administrable });
  const mayKickAny = useMay(server.id, 'serverMember delete', { ownerId: userId }).allowed;
  const mayBan = useMay(
    server.id,
    'serverBan insert',
    {},
    {
      bannable: { userId, serverCreatorId: server.creatorId },
      holdsFlags: { flags: flagsBeyond(roles, own) },
      administrable,
    },
  );
  const mayBanAny = useMay(server.id, 'serverBan insert').allowed;
  const name = nameOf(member);
  const whyNot = (may: Permission) => (isCreator ? t.creatorStays : ruleInWords(may));
  const parting: MenuItem[] = [
    mayKickAny && !mayKick.allowed && { heading: whyNot(mayKick) },
    // The creator's own way to part is to hand the server over.
    mayKickAny &&
      !isCreator && {
        label: t.kick,
        icon: 'user-x',
        isDanger: true,
        isDisabled: !mayKick.allowed,
        onSelect: () => onAsk('kick', member),
      },
    mayBanAny && !mayBan.allowed && mayKick.allowed === mayKickAny && { heading: whyNot(mayBan) },
    mayBanAny && {
      label: t.ban,
      icon: 'ban',
      isDanger: true,
      isDisabled: !mayBan.allowed,
      onSelect: () => onAsk('ban', member),
    },
  ];
  return (
    <Row
      className="setting-member-row"
      mark={<Avatar id={userId} name={name} src={user.image} isAgent={user.type === 'agent'} />}
      title={name}
      badges={
        <>
          {isCreator && <Badge kind="accent">{t.creator}</Badge>}
          {user.type === 'agent' && <Badge>{t.agent}</Badge>}
        </>
      }
      note={
        <Facts
          of={[
            `@${user.username}`,
            member.nickname !== null && user.name,
            t.joined(shortTime(member.createdAt)),
          ]}
        />
      }
      actions={
        (mayRename.allowed || mayKickAny || mayBanAny) && (
          <Menu
            label={serverSettings.actionsFor(name)}
            placement="below-end"
            items={[
              mayRename.allowed && {
                label: t.nickname,
                icon: 'pencil',
                onSelect: () => onAsk('nickname', member),
              },
              mayRename.allowed && !isSelf && ((mayKickAny && !isCreator) || mayBanAny) && 'line',
              // Oneself one leaves the server, in the danger zone.
              ...(isSelf ? [] : parting),
            ]}
          >
            {(trigger) => <IconButton {...trigger} icon="ellipsis" label={serverSettings.actionsFor(name)} />}
          </Menu>
        )
      }
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
