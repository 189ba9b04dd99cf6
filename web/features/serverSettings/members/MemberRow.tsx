import type { Records } from '../../../api/records.ts';
import { useMay } from '../../../may/index.ts';
import { useServer } from '../../../replica/hooks.ts';
import { memberSettings as t } from '../../../strings/en/memberSettings.ts';
import { serverSettings } from '../../../strings/en/serverSettings.ts';
import { shortTime } from '../../../strings/format.ts';
import { Avatar, Badge, IconButton, Menu, type MenuItem } from '../../../ui/index.ts';
import { Facts, Row, ruleInWords } from '../../settings/index.ts';
import type { Grants } from '../parts/useGrants.ts';
import { flagsBeyond } from '../roles/flags.ts';
import { RoleName } from '../roles/RoleName.tsx';
import { RolePicker } from './RolePicker.tsx';
import './members.css';

type Member = Records['ListedServerMember'];

interface MemberRowProps {
  server: Records['Server'];
  member: Member;
  roles: readonly Records['Role'][];
  grants: Grants;
  onAsk: (act: 'kick' | 'ban' | 'nickname') => void;
}

/** The name of a member in their server. */
export const nameOf = ({ nickname, user }: Member): string => nickname ?? user.name;

/** A member: who they are, their roles, and what may be done about them. */
export function MemberRow({ server, member, roles, grants, onAsk }: MemberRowProps) {
  const { user, userId } = member;
  const isCreator = server.creatorId === userId;
  const isSelf = useServer(server.id).state?.standing.userId === userId;
  const mayRename = useMay(server.id, 'serverMember update', { ownerId: userId });
  const mayKick = useMay(server.id, 'serverMember delete', { ownerId: userId });
  const own = roles.filter(({ id }) => grants.has(member, id));
  const mayBan = useMay(
    server.id,
    'serverBan insert',
    {},
    {
      bannable: { userId, serverCreatorId: server.creatorId },
      holdsFlags: { flags: flagsBeyond(roles, own) },
    },
  );
  const mayBanAny = useMay(server.id, 'serverBan insert').allowed;
  const name = nameOf(member);
  const banning: MenuItem[] = [
    !mayBan.allowed && { heading: isCreator ? t.creatorStays : ruleInWords(mayBan) },
    {
      label: t.ban,
      icon: 'ban',
      isDanger: true,
      isDisabled: !mayBan.allowed,
      onSelect: () => onAsk('ban'),
    },
  ];
  return (
    <Row
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
        (mayRename.allowed || mayKick.allowed || mayBanAny) && (
          <Menu
            label={serverSettings.actionsFor(name)}
            placement="below-end"
            items={[
              mayRename.allowed && { label: t.nickname, icon: 'pencil', onSelect: () => onAsk('nickname') },
              mayRename.allowed && !isSelf && ((mayKick.allowed && !isCreator) || mayBanAny) && 'line',
              // Oneself one leaves the server, in the danger zone.
              mayKick.allowed &&
                !isCreator &&
                !isSelf && {
                  label: t.kick,
                  icon: 'user-x',
                  isDanger: true,
                  onSelect: () => onAsk('kick'),
                },
              ...(mayBanAny && !isSelf ? banning : []),
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
        <RolePicker serverId={server.id} {...{ member, roles, grants }} />
      </div>
    </Row>
  );
}
