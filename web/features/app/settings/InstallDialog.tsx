import { useState } from 'react';
import { api, type Records } from '../../../api/index.ts';
import { useMay } from '../../../may/index.ts';
import { appSettings as t } from '../../../strings/en/programs.ts';
import { Dialog, Form, TextField, toast, type Values, WithName } from '../../../ui/index.ts';
import { Closed } from '../../settings/index.ts';
import { JsonField } from '../../settings/server/index.ts';

interface InstallDialogProps {
  serverId: string;
  /** The app to install; undefined if the user enters an app ID instead. */
  app: Records['App'] | undefined;
  onClose: () => void;
}

export function InstallDialog({ serverId, app, onClose }: InstallDialogProps) {
  const [config, setConfig] = useState<unknown>();
  const may = useMay(serverId, 'appInstall insert');
  async function install(values: Values): Promise<void> {
    const appId = app?.id ?? values.text('appId').trim();
    await api(serverId).appInstallInsert({ serverId, appId, ...(config !== undefined && { config }) });
    toast.show(t.done, { kind: 'good' });
    onClose();
  }
  return (
    <Dialog
      title={app ? <WithName words={t.installNamed} values={{ name: app.name ?? t.nameless }} /> : t.install}
      onClose={onClose}
      isFirm
    >
      <Form submit={may.allowed && t.install} onCancel={onClose} onSubmit={install}>
        <Closed permission={may} />
        {!app && <TextField name="appId" label={t.id} hint={t.idHint} spellCheck={false} required />}
        <JsonField
          name="config"
          label={t.config}
          hint={t.configHint}
          value={undefined}
          onValue={setConfig}
          isOptional
          rows={5}
        />
      </Form>
    </Dialog>
  );
}
