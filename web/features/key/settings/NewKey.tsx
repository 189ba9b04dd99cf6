import { useState } from 'react';
import { api, type Records } from '../../../api/index.ts';
import { serverNow } from '../../../api/serverTime.ts';
import { flagsOf } from '../../../may/flags.ts';
import { type Permission, useAsk, useMay } from '../../../may/index.ts';
import { useRows } from '../../../replica/hooks.ts';
import { common, permissions } from '../../../strings/en/common.ts';
import { keySettings as t } from '../../../strings/en/programs.ts';
import { list } from '../../../strings/format.ts';
import { Choice, Dialog, Form, Select, TextField, type Values } from '../../../ui/index.ts';
import { useAccount, withProof } from '../../session/index.ts';
import { Closed } from '../../settings/index.ts';
import { DAY, spans } from './spans.ts';

interface NewKeyProps {
  serverId: string;
  onMade: (secret: Records['NewSecret']) => void;
  onClose: () => void;
}

/** Creates an API key. */
export function NewKey({ serverId, onMade, onClose }: NewKeyProps) {
  const account = useAccount();
  const roles = useRows('role', 'serverId', serverId);
  const [roleId, setRoleId] = useState(roles.find(({ isDefault }) => isDefault)?.id ?? '');
  const role = roles.find(({ id }) => id === roleId);
  const flags = role ? flagsOf(role) : [];
  const may: Permission = useMay(serverId, 'secret insert', {}, { holdsFlags: { flags } });

  async function mint(values: Values): Promise<void> {
    const days = Number(values.text('span'));
    const isOwn = values.text('as') === 'me' && account.state === 'in';
    const wish = {
      kind: 'apiKey' as const,
      serverId,
      name: values.text('name'),
      roleId,
      expiresAt: days === 0 ? null : (await serverNow()) + days * DAY,
      ...(isOwn && { userId: account.me.id }),
    };
    onMade(await withProof(() => api(serverId).secretInsert(wish)));
  }

  return (
    <Dialog title={t.create} onClose={onClose} isFirm>
      <Form submit={may.allowed ? t.create : false} onCancel={onClose} onSubmit={mint}>
        <TextField name="name" label={common.name} hint={t.nameHint} maxLength={100} required />
        <Choice
          name="as"
          label={t.actsAs}
          hint={t.actsAsHint}
          defaultValue="agent"
          options={[
            { value: 'agent', label: t.ownAgent, icon: 'bot' },
            { value: 'me', label: t.me, icon: 'user' },
          ]}
        />
        <RoleSelect {...{ serverId, roles, roleId, flags }} onRole={setRoleId} />
        <Closed permission={may} />
        <Select
          name="span"
          label={t.end}
          defaultValue="90"
          options={spans.map((days) => ({ value: String(days), label: t.span({ days }) }))}
        />
      </Form>
    </Dialog>
  );
}

interface RoleSelectProps {
  serverId: string;
  roles: readonly Records['Role'][];
  roleId: string;
  /** The permissions of the chosen role. */
  flags: ReturnType<typeof flagsOf>;
  onRole: (roleId: string) => void;
}

/** The roles available to a key. Roles that exceed the user's own permissions are disabled. */
function RoleSelect({ serverId, roles, roleId, flags, onRole }: RoleSelectProps) {
  const ask = useAsk(serverId);
  return (
    <Select
      name="roleId"
      label={t.role}
      hint={
        flags.length === 0
          ? t.roleNothing
          : t.roleAllows({ names: list(flags.map((flag) => permissions[flag])) })
      }
      value={roleId}
      onValue={onRole}
      options={roles.map((each) => {
        const holdsFlags = { flags: flagsOf(each) };
        const isDisabled = !ask('secret insert', {}, { holdsFlags }).allowed;
        return { value: each.id, label: each.name, isDisabled };
      })}
    />
  );
}
