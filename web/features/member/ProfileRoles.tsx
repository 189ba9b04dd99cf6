import { giveRole, takeRole } from '../../api/grants.ts';
import type { Records } from '../../api/records.ts';
import { flagsOf } from '../../may/flags.ts';
import { useAsk } from '../../may/index.ts';
import { useRows } from '../../replica/hooks.ts';
import { member as t } from '../../strings/en/panels.ts';
import { IconButton, Menu, type MenuItem, toast } from '../../ui/index.ts';
import { useAdministrators } from './administrators/index.ts';

type Member = Records['ListedServerMember'];
type Role = Records['Role'];

/** The roles of a member. Editable for users with the permission. */
export function ProfileRoles({ member }: { member: Member }) {
  const { serverId, roleIds } = member;
  const roles = useRows('role', 'serverId', serverId);
  const ask = useAsk(serverId);
  const may = (verb: 'insert' | 'delete', role: Role) =>
    ask(`userRole ${verb}`, {}, { holdsFlags: { flags: flagsOf(role) } }).allowed;
  const own = roles.filter(({ id }) => roleIds.includes(id));
  const administers = own.some(({ canAdmin }) => canAdmin);
  const areLeft = useAdministrators(serverId, administers && ask('userRole delete').allowed);
  const others = roles.filter((role) => !roleIds.includes(role.id) && may('insert', role));
  const give = (role: Role) =>
    giveRole(serverId, { userId: member.userId, roleId: role.id }).catch(toast.error);
  const items = others.map((role): MenuItem => ({ label: role.name, onSelect: () => void give(role) }));
  return (
    <div className="profile-roles">
      <h2>{t.roles}</h2>
      <ul>
        {own.map((role) => (
          <OwnRole
            key={role.id}
            role={role}
            member={member}
            mayTake={may('delete', role)}
            isKept={role.canAdmin && !areLeft({ userId: member.userId, roleId: role.id })}
          />
        ))}
        {own.length === 0 && <li className="small muted">{t.noRoles}</li>}
        {others.length > 0 && (
          <li>
            <Menu label={t.give} items={items}>
              {(trigger) => <IconButton {...trigger} icon="plus" size="small" label={t.give} />}
            </Menu>
          </li>
        )}
      </ul>
    </div>
  );
}

interface OwnRoleProps {
  role: Role;
  member: Member;
  mayTake: boolean;
  /** True if the member is the last admin. */
  isKept: boolean;
}

function OwnRole({ role, member, mayTake, isKept }: OwnRoleProps) {
  const { userId } = member;
  const take = () => takeRole(role.serverId, { userId, roleId: role.id });
  return (
    <li className="small profile-role">
      <bdi className="ellipsis">{role.name}</bdi>
      {mayTake && (
        <IconButton
          icon="x"
          size="small"
          label={isKept ? t.lastAdmin : t.take({ role: role.name })}
          aria-disabled={isKept}
          onClick={() => void (isKept || take().catch(toast.error))}
        />
      )}
    </li>
  );
}
