import { api, type Records } from '../../../api/index.ts';
import { useActions } from '../../../replica/hooks.ts';
import { appSettings as t } from '../../../strings/en/appSettings.ts';
import { Dialog, Form, TextArea, TextField, toast, type Values } from '../../../ui/index.ts';

interface AppDialogProps {
  serverId: string;
  /** Undefined for a new one. */
  app: Records['App'] | undefined;
  onClose: () => void;
}

/** The fields of one line, in the order in which they show. */
const lines = ['version', 'category', 'publisherName', 'npmPackage', 'image'] as const;

/** Makes an app of the server, or changes it. */
export function AppDialog({ serverId, app, onClose }: AppDialogProps) {
  const { load } = useActions();
  async function save(values: Values): Promise<void> {
    const fields = {
      name: values.text('name'),
      description: values.optional('description') ?? null,
      ...Object.fromEntries(lines.map((line) => [line, values.optional(line) ?? null])),
    };
    const calls = api(serverId);
    const { id } = app
      ? await calls.appUpdate({ appId: app.id, ...fields })
      : await calls.appInsert({ serverId, ...fields });
    // The answer to a write is short.
    await load(
      () => calls.appById({ appId: id }),
      (whole) => ({ app: [whole] }),
    );
    toast.show(t.saved, { kind: 'good' });
    onClose();
  }
  return (
    <Dialog title={app ? (app.name ?? t.nameless) : t.create} onClose={onClose} isFirm>
      <Form submit={app ? t.save : t.create} onCancel={onClose} onSubmit={save}>
        <TextField
          name="name"
          label={t.fields.name}
          defaultValue={app?.name ?? ''}
          maxLength={100}
          required
        />
        <TextArea
          name="description"
          label={t.fields.description}
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
