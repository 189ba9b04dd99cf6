import type { Flag } from '../../../../client/src/index.ts';
import { api } from '../../../api/index.ts';
import { flags } from '../../../may/flags.ts';
import { useMay } from '../../../may/index.ts';
import { common, permissions } from '../../../strings/en/common.ts';
import { allows } from '../../../strings/en/refusals.ts';
import { roleSettings as t } from '../../../strings/en/serverSettings.ts';
import { Checkbox, Dialog, Form, Switch, TextField, toast } from '../../../ui/index.ts';
import { withProof } from '../../session/index.ts';
import { Closed } from '../../settings/index.ts';
import { ColorField, colorIn } from './ColorField.tsx';

/** Creates a role. */
export function NewRole({ serverId, onClose }: { serverId: string; onClose: () => void }) {
  const may = useMay(serverId, 'role insert');
  return (
    <Dialog title={t.create} onClose={onClose} isFirm>
      <Form
        submit={may.allowed ? t.create : false}
        onCancel={onClose}
        onSubmit={async (values) => {
          const name = values.text('name');
          const given = Object.fromEntries(flags.map((flag) => [flag, values.isOn(flag)]));
          await withProof(() =>
            api(serverId).roleInsert({
              serverId,
              name,
              color: colorIn(values),
              mentionable: values.isOn('mentionable'),
              ...given,
            }),
          );
          toast.show(t.made({ name }), { kind: 'good' });
          onClose();
        }}
      >
        <Closed permission={may} />
        <TextField name="name" label={common.name} maxLength={100} required />
        <ColorField value={null} />
        <Switch name="mentionable" label={t.mentionable} hint={t.mentionableHint} />
        <fieldset className="setting-role-flags">
          <legend className="field-label">{t.allows}</legend>
          {flags.map((flag) => (
            <OneFlag key={flag} serverId={serverId} flag={flag} />
          ))}
        </fieldset>
      </Form>
    </Dialog>
  );
}

/** A checkbox for a flag. Users can only grant their own flags. */
function OneFlag({ serverId, flag }: { serverId: string; flag: Flag }) {
  const may = useMay(serverId, 'role insert', {}, { holdsFlags: { flags: [flag] } });
  return (
    <Checkbox
      name={flag}
      label={permissions[flag]}
      hint={may.allowed ? allows[flag] : t.notHeld}
      defaultOn={flag === 'canEditData' && may.allowed}
      isDisabled={!may.allowed}
    />
  );
}
