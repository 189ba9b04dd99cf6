import { api } from '../../../api/index.ts';
import { roleSettings as t } from '../../../strings/en/roleSettings.ts';
import { serverSettings } from '../../../strings/en/serverSettings.ts';
import { Checkbox, Dialog, Form, TextField, toast } from '../../../ui/index.ts';
import { withProof } from '../../session/index.ts';
import { ColorField, colorIn } from './ColorField.tsx';
import { flags } from './flags.ts';

/** Makes a role. */
export const NewRole = ({ serverId, onClose }: { serverId: string; onClose: () => void }) => (
  <Dialog title={t.create} onClose={onClose} isFirm>
    <Form
      submit={t.create}
      onCancel={onClose}
      onSubmit={async (values) => {
        const name = values.text('name');
        const given = Object.fromEntries(flags.map((flag) => [flag, values.isOn(flag)]));
        await withProof(() => api(serverId).roleInsert({ serverId, name, color: colorIn(values), ...given }));
        toast.show(t.made(name), { kind: 'good' });
        onClose();
      }}
    >
      <TextField name="name" label={t.name} maxLength={100} required />
      <ColorField value={null} />
      <fieldset className="setting-role-flags">
        <legend className="field-label">{t.allows}</legend>
        {flags.map((flag) => (
          <Checkbox
            key={flag}
            name={flag}
            label={serverSettings.flags[flag].name}
            hint={serverSettings.flags[flag].allows}
            defaultOn={flag === 'canEditData'}
          />
        ))}
      </fieldset>
    </Form>
  </Dialog>
);
