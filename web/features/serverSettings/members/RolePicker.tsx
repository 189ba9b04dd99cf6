import { useRef, useState } from 'react';
import type { Records } from '../../../api/records.ts';
import { useMay } from '../../../may/index.ts';
import { memberSettings as t } from '../../../strings/en/memberSettings.ts';
import { Button, Checkbox, Popover } from '../../../ui/index.ts';
import { useFind } from '../../settings/index.ts';
import type { Grants } from '../parts/useGrants.ts';
import { flagsOf } from '../roles/flags.ts';

interface RolePickerProps {
  serverId: string;
  member: Records['ListedServerMember'];
  roles: readonly Records['Role'][];
  grants: Grants;
}

/** Gives a member roles, and takes them away. */
export function RolePicker({ serverId, member, roles, grants }: RolePickerProps) {
  const may = useMay(serverId, 'userRole insert');
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  if (!may.allowed) return null;
  const label = t.rolesOf(member.nickname ?? member.user.name);
  return (
    <>
      <Button
        ref={button}
        size="small"
        kind="quiet"
        icon="plus"
        aria-label={label}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {t.roles}
      </Button>
      {isOpen && (
        <Popover
          anchor={button}
          label={label}
          className="setting-member-role-picker"
          onClose={() => setOpen(false)}
        >
          <Choosable {...{ serverId, member, roles, grants }} />
        </Popover>
      )}
    </>
  );
}

function Choosable({ serverId, member, roles, grants }: RolePickerProps) {
  const found = useFind(t.findRole, roles, ({ name }) => [name]);
  return (
    <>
      {found.field}
      {found.rows.map((role) => (
        <OneRole key={role.id} {...{ serverId, member, role, grants }} />
      ))}
      {found.rest}
    </>
  );
}

function OneRole({
  serverId,
  member,
  role,
  grants,
}: Omit<RolePickerProps, 'roles'> & { role: Records['Role'] }) {
  const may = useMay(serverId, 'userRole insert', {}, { holdsFlags: { flags: flagsOf(role) } });
  return (
    <Checkbox
      label={role.name}
      isOn={grants.has(member, role.id)}
      isDisabled={!may.allowed}
      onChange={(isOn) => grants.set(member, role, isOn)}
    />
  );
}
