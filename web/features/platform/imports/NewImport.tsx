import { useRef, useState } from 'react';
import { useAsked } from '../../../api/asked.ts';
import { api } from '../../../api/index.ts';
import { platform } from '../../../strings/en/platform.ts';
import { imports as t } from '../../../strings/en/platformSettings.ts';
import { Dialog, Field, Form, Select, TextField, type Values } from '../../../ui/index.ts';
import { type Import, sources } from './words.ts';

interface NewImportProps {
  onMade: (row: Import, file: File) => void;
  onClose: () => void;
}

/** Creates an import. Its archive is uploaded after the dialog is closed. */
export function NewImport({ onMade, onClose }: NewImportProps) {
  const servers = useAsked('servers', () => api('none').platformServers({ limit: 100 }));
  const [serverId, setServerId] = useState('');
  const [missing, setMissing] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  const make = async (values: Values) => {
    const file = input.current?.files?.[0];
    setMissing(file ? undefined : t.noFile);
    if (!file) return;
    const source = values.text('source') as Import['source'];
    const place = serverId
      ? { serverId }
      : { newServer: values.text('newServer'), owner: values.text('owner') };
    const row = await api('none').platformImportInsert({
      ...{ source, name: file.name.slice(0, 200), bytes: file.size },
      ...place,
    });
    onMade(row, file);
    onClose();
  };
  return (
    <Dialog title={t.create} size="s" onClose={onClose} isFirm>
      <Form submit={t.upload} onSubmit={make} onCancel={onClose}>
        <Select
          name="source"
          label={t.source}
          options={Object.entries(sources()).map(([value, label]) => ({ value, label }))}
        />
        <Field label={t.file} name="bytes" hint={t.fileHint} {...(missing && { error: missing })}>
          {(wiring) => <input {...wiring} ref={input} type="file" className="control" />}
        </Field>
        <Select
          name="serverId"
          label={platform.servers.server}
          value={serverId}
          onValue={setServerId}
          options={[
            { value: '', label: t.newServer },
            ...(servers.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
        {serverId === '' && (
          <>
            <TextField name="newServer" label={t.serverName} maxLength={100} required />
            <TextField name="owner" label={t.owner} maxLength={32} required spellCheck={false} />
          </>
        )}
      </Form>
    </Dialog>
  );
}
