import { useState } from 'react';
import { api, type Records } from '../../../api/index.ts';
import { flagsOf } from '../../../may/flags.ts';
import { useMay } from '../../../may/index.ts';
import { useRows, useServer } from '../../../replica/hooks.ts';
import { common } from '../../../strings/en/common.ts';
import { roleSettings as t } from '../../../strings/en/serverSettings.ts';
import { changesTo } from '../../../ui/changes.ts';
import { Button, Dialog, Form, Switch, Tabs, TextField, toast, WithName } from '../../../ui/index.ts';
import { useAdministrators } from '../../member/administrators/index.ts';
import { Closed } from '../../settings/index.ts';
import { Ask } from '../../settings/server/index.ts';
import { ColorField, colorIn } from './ColorField.tsx';
import { creatorRoleOf } from './flags.ts';
import { RoleMembers } from './RoleMembers.tsx';

/** A role's name, colour and members, and a button to delete it. */
export function RoleDialog({ role, onClose }: { role: Records['Role']; onClose: () => void }) {
  const [tab, setTab] = useState<'look' | 'members'>('look');
  return (
    <Dialog title={role.name} onClose={onClose}>
      <Tabs
        label={role.name}
        tabs={[
          { id: 'look', label: t.look, icon: 'palette' },
          { id: 'members', label: t.members, icon: 'users' },
        ]}
        selected={tab}
        onSelect={setTab}
      >
        {tab === 'look' ? <Look role={role} onClose={onClose} /> : <RoleMembers role={role} />}
      </Tabs>
    </Dialog>
  );
}

function Look({ role, onClose }: { role: Records['Role']; onClose: () => void }) {
  const { id, serverId } = role;
  const { server, state } = useServer(serverId);
  const [before] = useState(role);
  const isCreatorRole = creatorRoleOf(useRows('role', 'serverId', serverId))?.id === id;
  const mayChange = useMay(serverId, 'role update');
  const isClosed = !mayChange.allowed;
  if (!server || !state) return null;
  return (
    <div className="setting-rows-frame">
      <Closed permission={mayChange} />
      <Form
        submit={isClosed ? false : common.save}
        onSubmit={async (values) => {
          const changes = changesTo(before, {
            name: values.text('name'),
            color: colorIn(values),
            mentionable: values.isOn('mentionable'),
          });
          if (changes) await api(serverId).roleUpdate({ roleId: id, ...changes });
          toast.show(t.saved, { kind: 'good' });
          onClose();
        }}
      >
        <TextField
          name="name"
          label={common.name}
          defaultValue={role.name}
          maxLength={100}
          required
          disabled={isClosed}
        />
        <ColorField value={role.color} isDisabled={isClosed} />
        <Switch
          name="mentionable"
          label={t.mentionable}
          hint={t.mentionableHint}
          defaultOn={role.mentionable}
          isDisabled={isClosed}
        />
      </Form>
      {role.isDefault && <p className="setting-lead">{t.defaultMore}</p>}
      {isCreatorRole && <p className="setting-lead">{t.creatorMore}</p>}
      <Deletion {...{ role, isCreatorRole }} isSilent={isClosed} />
    </div>
  );
}

interface DeletionProps {
  role: Records['Role'];
  isCreatorRole: boolean;
  /** Hides the reason why the role can't be deleted. */
  isSilent: boolean;
}

function Deletion({ role, isCreatorRole, isSilent }: DeletionProps) {
  const { id, serverId, name, isDefault, canAdmin } = role;
  const [isAsking, setAsking] = useState(false);
  const areLeft = useAdministrators(serverId, canAdmin);
  const facts = {
    holdsFlags: { flags: flagsOf(role) },
    lastingRole: { isDefault, isCreatorRole },
    administrable: { hasAdministrator: !canAdmin || areLeft({ roleId: id }) },
  };
  const may = useMay(serverId, 'role delete', {}, facts);
  return (
    <>
      {may.allowed && (
        <div>
          <Button kind="quiet" icon="trash" onClick={() => setAsking(true)}>
            {t.delete}
          </Button>
        </div>
      )}
      {!isSilent && !isDefault && !isCreatorRole && <Closed permission={may} what={t.notDeleted} />}
      {isAsking && (
        <Ask
          permission={may}
          title={<WithName words={t.askDelete} values={{ name }} />}
          text={t.deleteMore}
          action={t.delete}
          isDanger
          onConfirm={() => api(serverId).roleDelete({ roleId: id })}
          done={t.deleted({ name })}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
