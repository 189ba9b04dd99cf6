import { useState } from 'react';
import type { Flag } from '../../../../client/src/index.ts';
import type { Records } from '../../../api/records.ts';
import { flags } from '../../../may/flags.ts';
import { useMay } from '../../../may/index.ts';
import { permissions } from '../../../strings/en/common.ts';
import { allows } from '../../../strings/en/refusals.ts';
import { roleSettings as t } from '../../../strings/en/serverSettings.ts';
import { Badge, Icon, Select, Switch } from '../../../ui/index.ts';
import { useAdministrators } from '../../member/administrators/index.ts';
import { ruleInWords } from '../../settings/index.ts';
import { RoleName } from '../../settings/server/index.ts';
import { type Switches, useSwitches } from './useSwitches.ts';
import './matrix.css';

type Role = Records['Role'];

interface MatrixProps {
  serverId: string;
  /** The visible roles. */
  roles: readonly Role[];
  onOpen: (roleId: string) => void;
}

/**
 * The permission matrix: a table with flags as rows and roles as columns, or one role at a time on a phone.
 */
export function Matrix({ serverId, roles, onOpen }: MatrixProps) {
  const switches = useSwitches(serverId);
  const areLeft = useAdministrators(serverId);
  const [chosenId, setChosenId] = useState<string>();
  const chosen = roles.find(({ id }) => id === chosenId) ?? roles[0];
  if (!chosen) return null;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll it with the arrow keys */}
      <section className="setting-role-matrix-frame" aria-label={t.matrix} tabIndex={0}>
        <table className="setting-role-matrix">
          <thead>
            <tr>
              <td />
              {roles.map((role) => (
                <th key={role.id} scope="col">
                  <button type="button" className="setting-role-matrix-role" onClick={() => onOpen(role.id)}>
                    <RoleName role={role} />
                    {role.isDefault && <Badge>{t.default}</Badge>}
                    <Icon name="pencil" size={14} />
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {flags.map((flag) => (
              <tr key={flag}>
                <th scope="row">
                  <span className="setting-role-matrix-flag">{permissions[flag]}</span>
                  <span className="tiny muted setting-role-matrix-allows">{allows[flag]}</span>
                </th>
                {roles.map((role) => (
                  <Cell key={role.id} {...{ serverId, role, flag, switches, areLeft }} isInTable />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <div className="setting-role-list">
        <Select
          label={t.role}
          value={chosen.id}
          options={roles.map(({ id, name }) => ({ value: id, label: name }))}
          onValue={setChosenId}
        />
        <button type="button" className="setting-role-matrix-role" onClick={() => onOpen(chosen.id)}>
          <RoleName role={chosen} />
          {chosen.isDefault && <Badge>{t.default}</Badge>}
          <Icon name="pencil" size={14} />
        </button>
        {flags.map((flag) => (
          <Cell key={flag} {...{ serverId, flag, switches, areLeft }} role={chosen} />
        ))}
      </div>
    </>
  );
}

interface CellProps {
  serverId: string;
  role: Role;
  flag: Flag;
  switches: Switches;
  areLeft: ReturnType<typeof useAdministrators>;
  isInTable?: boolean;
}

/** `canAdmin` implies all other flags. */
const isImpliedIn = (role: Role, flag: Flag, switches: Switches): boolean =>
  flag !== 'canAdmin' && switches.isOn(role, 'canAdmin');

/**
 * The switch for one flag of one role. If it can't be changed, the reason is shown next to it; in a table,
 * the reason is a tooltip.
 */
function Cell({ serverId, role, flag, switches, areLeft, isInTable }: CellProps) {
  const takesLast = flag === 'canAdmin' && role.canAdmin && !areLeft({ roleId: role.id });
  const may = useMay(
    serverId,
    'role update',
    {},
    { holdsFlags: { flags: [flag] }, administrable: { hasAdministrator: !takesLast } },
  );
  const isImplied = isImpliedIn(role, flag, switches);
  const name = permissions[flag];
  const reason = isImplied ? t.implied : may.need.length === 0 && !may.allowed && ruleInWords(may);
  const cell = (
    <Switch
      label={isInTable ? t.cell({ flag: name, role: role.name }) : name}
      isLabelHidden={isInTable}
      hint={isInTable ? reason && <span className="only-read">{reason}</span> : reason || allows[flag]}
      isOn={isImplied || switches.isOn(role, flag)}
      isDisabled={isImplied || !may.allowed}
      onChange={(isOn) => switches.turn(role, flag, isOn)}
    />
  );
  return isInTable ? <td data-tip={reason || undefined}>{cell}</td> : cell;
}
