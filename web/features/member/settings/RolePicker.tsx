import { useRef, useState } from 'react';
import type { Records } from '../../../api/records.ts';
import { flagsOf } from '../../../may/flags.ts';
import { useMay } from '../../../may/index.ts';
import { memberSettings as t } from '../../../strings/en/serverSettings.ts';
import { Button, Checkbox, Popover } from '../../../ui/index.ts';
import { ruleInWords, useFind } from '../../settings/index.ts';
import type { Grants } from '../../settings/server/index.ts';
import type { useAdministrators } from '../administrators/index.ts';

interface RolePickerProps {
  serverId: string;
  member: Records['ListedServerMember'];
  roles: readonly Records['Role'][];
  grants: Grants;
  areLeft: ReturnType<typeof useAdministrators>;
}

/** Assigns and removes a member's roles. */
export function RolePicker({ serverId, member, roles, ...rest }: RolePickerProps) {
  const may = useMay(serverId, 'userRole insert');
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  if (!may.allowed) return null;
  const label = t.rolesOf({ name: member.nickname ?? member.user.name });
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
          <Choosable {...{ serverId, member, roles, ...rest }} />
        </Popover>
      )}
    </>
  );
}

function Choosable({ roles, ...rest }: RolePickerProps) {
  const { member, grants } = rest;
  // The roles that the member had when the picker opened come first, and stay there.
  const [firstIds] = useState(() => roles.filter(({ id }) => grants.has(member, id)).map(({ id }) => id));
  const isFirst = ({ id }: Records['Role']) => firstIds.includes(id);
  const sorted = [...roles.filter(isFirst), ...roles.filter((role) => !isFirst(role))];
  const found = useFind(t.findRole, sorted, ({ name }) => [name]);
  return (
    <>
      {found.field}
      {found.rows.map((role) => (
        <OneRole key={role.id} role={role} {...rest} />
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
  areLeft,
}: Omit<RolePickerProps, 'roles'> & { role: Records['Role'] }) {
  const isOn = grants.has(member, role.id);
  const takesLast = isOn && role.canAdmin && !areLeft({ userId: member.userId, roleId: role.id });
  const may = useMay(
    serverId,
    isOn ? 'userRole delete' : 'userRole insert',
    {},
    { holdsFlags: { flags: flagsOf(role) }, administrable: { hasAdministrator: !takesLast } },
  );
  return (
    <Checkbox
      label={role.name}
      hint={!may.allowed && ruleInWords(may)}
      isOn={isOn}
      isDisabled={!may.allowed}
      onChange={(isGiven) => grants.set(member, role, isGiven)}
    />
  );
}
