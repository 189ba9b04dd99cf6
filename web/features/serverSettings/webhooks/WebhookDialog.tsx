import { useState } from 'react';
import { api, type Records } from '../../../api/index.ts';
import { useChannels } from '../../../replica/hooks.ts';
import { webhookSettings as t } from '../../../strings/en/webhookSettings.ts';
import { Choice, Dialog, Form, Select, TextField, toast, type Values } from '../../../ui/index.ts';
import { EventTypes } from './EventTypes.tsx';

interface WebhookDialogProps {
  serverId: string;
  direction: 'in' | 'out';
  /** Undefined for a new one. */
  webhook?: Records['Webhook'];
  onDone: (webhook: Records['NewWebhook']) => void;
  onClose: () => void;
}

/** Makes a webhook, or changes one. */
export function WebhookDialog({ serverId, direction, webhook, onDone, onClose }: WebhookDialogProps) {
  const channels = useChannels(serverId);
  const [scope, setScope] = useState<'all' | 'some'>(webhook?.types ? 'some' : 'all');
  const isOut = direction === 'out';
  const words = t[direction];

  async function save(values: Values): Promise<void> {
    const fields = {
      name: values.text('name'),
      channelId: values.optional('channelId') ?? null,
      ...(isOut && { url: values.text('url'), types: scope === 'all' ? null : values.all('types') }),
    };
    const calls = api(serverId);
    const saved = webhook
      ? await calls.webhookUpdate({ webhookId: webhook.id, ...fields })
      : await calls.webhookInsert({ serverId, direction, ...fields });
    if (webhook) toast.show(t.saved, { kind: 'good' });
    onDone(saved);
  }

  return (
    <Dialog title={webhook ? webhook.name : words.create} onClose={onClose} isFirm>
      <Form submit={webhook ? t.save : words.create} onCancel={onClose} onSubmit={save}>
        <TextField
          name="name"
          label={t.name}
          hint={words.nameHint}
          defaultValue={webhook?.name}
          maxLength={100}
          required
        />
        {isOut && (
          <TextField
            name="url"
            label={t.url}
            hint={t.urlHint}
            type="url"
            defaultValue={webhook?.url ?? ''}
            maxLength={2048}
            spellCheck={false}
            required
          />
        )}
        <Select
          name="channelId"
          label={words.channel}
          hint={words.channelHint}
          defaultValue={webhook?.channelId ?? (isOut ? '' : channels[0]?.id)}
          options={[
            ...(isOut ? [{ value: '', label: t.anyChannel }] : []),
            ...channels.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
        {isOut && (
          <Choice
            label={t.events}
            value={scope}
            onValue={setScope}
            options={[
              { value: 'all', label: t.allTypes },
              { value: 'some', label: t.someTypes },
            ]}
          />
        )}
        {isOut && scope === 'some' && <EventTypes chosen={webhook?.types ?? ['message.*']} />}
      </Form>
    </Dialog>
  );
}
