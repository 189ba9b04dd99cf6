import { useState } from 'react';
import { api, type Records } from '../../../api/index.ts';
import { useMay } from '../../../may/index.ts';
import { useActions } from '../../../replica/hooks.ts';
import { common } from '../../../strings/en/common.ts';
import { appSettings as t } from '../../../strings/en/programs.ts';
import { changesTo } from '../../../ui/changes.ts';
import { Dialog, Form, TextArea, TextField, toast, type Values } from '../../../ui/index.ts';
import { Closed } from '../../settings/index.ts';

interface AppDialogProps {
  serverId: string;
  /** Undefined for a new app. */
  app: Records['App'] | undefined;
  onClose: () => void;
}

/** The optional single-line fields, in display order. */
const lines = ['version', 'category', 'publisherName', 'npmPackage', 'image'] as const;

/** Creates or edits an app of the server. */
export function AppDialog({ serverId, app, onClose }: AppDialogProps) {
  const { load } = useActions();
  const may = useMay(serverId, app ? 'app update' : 'app insert');
  const [before] = useState(app);
  async function save(values: Values): Promise<void> {
    const fields = {
      name: values.text('name'),
      description: values.optional('description') ?? null,
      ...Object.fromEntries(lines.map((line) => [line, values.optional(line) ?? null])),
    };
    const calls = api(serverId);
    const changes = changesTo(before ?? {}, fields);
    if (changes) {
      const { id } = app
        ? await calls.appUpdate({ appId: app.id, ...changes })
        : await calls.appInsert({ serverId, ...fields });
      // Loads the app, because the response to a write lacks most fields.
      await load(
        () => calls.appById({ appId: id }),
        (whole) => ({ app: [whole] }),
      );
    }
    toast.show(t.saved, { kind: 'good' });
    onClose();
  }
  return (
    <Dialog title={app ? <bdi>{app.name ?? t.nameless}</bdi> : t.create} onClose={onClose} isFirm>
      <Form submit={may.allowed && (app ? common.save : t.create)} onCancel={onClose} onSubmit={save}>
        <Closed permission={may} />
        <TextField name="name" label={common.name} defaultValue={app?.name ?? ''} maxLength={100} required />
        <TextArea
          name="description"
          label={common.description}
          defaultValue={app?.description ?? ''}
          most={4000}
          isOptional
        />
        {lines.map((line) => (
          <TextField
            key={line}
            name={line}
            label={t.fields[line]}
            type={line === 'image' ? 'url' : 'text'}
            defaultValue={app?.[line] ?? ''}
            maxLength={line === 'image' ? 2048 : 100}
            isOptional
          />
        ))}
      </Form>
    </Dialog>
  );
}
