import { api, type Records } from '../../../api/index.ts';
import { useMay } from '../../../may/index.ts';
import { common } from '../../../strings/en/common.ts';
import { appSettings as t } from '../../../strings/en/programs.ts';
import { Dialog, Form, TextField, toast, WithName } from '../../../ui/index.ts';
import { Closed } from '../../settings/index.ts';

interface NewSecretProps {
  serverId: string;
  app: Records['App'];
  onClose: () => void;
}

export function NewSecret({ serverId, app, onClose }: NewSecretProps) {
  const may = useMay(serverId, 'secret insert');
  return (
    <Dialog
      title={<WithName words={t.newSecretOf} values={{ name: app.name ?? t.nameless }} />}
      size="s"
      onClose={onClose}
      isFirm
    >
      <Form
        submit={may.allowed && t.store}
        onCancel={onClose}
        onSubmit={async (values) => {
          const [name, value] = [values.text('name'), values.text('value')];
          await api(serverId).secretInsert({ kind: 'appSecret', serverId, appId: app.id, name, value });
          toast.show(t.stored, { kind: 'good' });
          onClose();
        }}
      >
        <Closed permission={may} />
        <TextField name="name" label={common.name} hint={t.secretNameHint} maxLength={100} required />
        <TextField
          name="value"
          label={t.secretValue}
          hint={t.secretValueHint}
          type="password"
          autoComplete="new-password"
          maxLength={8000}
          required
        />
      </Form>
    </Dialog>
  );
}
