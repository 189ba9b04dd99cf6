import { useState } from 'react';
import { api, type Records } from '../../../api/index.ts';
import { useMay } from '../../../may/index.ts';
import { useChannels } from '../../../replica/hooks.ts';
import { common } from '../../../strings/en/common.ts';
import { webhookSettings as t } from '../../../strings/en/programs.ts';
import { changesTo, mergedList } from '../../../ui/changes.ts';
import { Choice, Dialog, Form, Select, TextField, toast, type Values } from '../../../ui/index.ts';
import { Refusal } from '../../session/index.ts';
import { Closed, Note } from '../../settings/index.ts';
import { useReachOfWebhook } from '../../settings/server/index.ts';
import { EventTypes } from './EventTypes.tsx';
import { TemplateField } from './TemplateField.tsx';

interface WebhookDialogProps {
  serverId: string;
  direction: 'in' | 'out';
  /** Undefined for a new webhook. */
  webhook?: Records['Webhook'];
  onDone: (webhook: Records['NewWebhook']) => void;
  onClose: () => void;
}

type Webhook = Records['Webhook'];

interface Fields {
  name: string;
  channelId: string | null;
  url?: string;
  types?: string[] | null;
  template?: string | null;
}

/**
 * Updates only the fields that the user changed, which keeps other users' changes made since the dialog
 * opened.
 */
async function update(now: Webhook, before: Webhook, wanted: Fields): Promise<Webhook> {
  const changes = changesTo(before, wanted);
  if (!changes) return now;
  if (before.types && changes.types && now.types)
    changes.types = mergedList(before.types, changes.types, now.types);
  return api(now.serverId).webhookUpdate({ webhookId: now.id, ...changes });
}

/** Creates or edits a webhook. */
export function WebhookDialog({ serverId, direction, webhook, onDone, onClose }: WebhookDialogProps) {
  const channels = useChannels(serverId);
  const mayMake = useMay(serverId, 'webhook insert');
  const mayChange = useReachOfWebhook({ serverId, roleId: webhook?.roleId ?? null }).change;
  const may = webhook ? mayChange : mayMake;
  const [before] = useState(webhook);
  const [scope, setScope] = useState<'all' | 'some'>(webhook?.types ? 'some' : 'all');
  const [format, setFormat] = useState<'detect' | 'own'>(webhook?.template ? 'own' : 'detect');
  const isOut = direction === 'out';
  const words = t[direction];
  const hasPlace = isOut || channels.length > 0;

  async function save(values: Values): Promise<void> {
    const some = values.all('type');
    if (isOut && scope === 'some' && some.length === 0) throw new Refusal(t.noTypes);
    const fields: Fields = {
      name: values.text('name'),
      channelId: values.optional('channelId') ?? null,
      ...(isOut
        ? { url: values.text('url'), types: scope === 'all' ? null : some }
        : { template: format === 'own' ? values.text('template') : null }),
    };
    const saved =
      webhook && before
        ? await update(webhook, before, fields)
        : await api(serverId).webhookInsert({ serverId, direction, ...fields });
    if (webhook) toast.show(t.saved, { kind: 'good' });
    onDone(saved);
  }

  return (
    <Dialog title={webhook ? webhook.name : words.create} onClose={onClose} isFirm>
      <Form
        submit={may.allowed && hasPlace && (webhook ? common.save : words.create)}
        onCancel={onClose}
        onSubmit={save}
      >
        <Closed permission={may} />
        {!hasPlace && <Note icon="hash">{t.in.noChannel}</Note>}
        <TextField
          name="name"
          label={common.name}
          hint={words.nameHint}
          defaultValue={webhook?.name}
          maxLength={100}
          required
        />
        {isOut && <UrlField value={webhook?.url ?? ''} />}
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
        {isOut ? (
          <TypesField chosen={webhook?.types} scope={scope} onScope={setScope} />
        ) : (
          <TemplateField webhook={webhook} format={format} onFormat={setFormat} />
        )}
      </Form>
    </Dialog>
  );
}

const UrlField = ({ value }: { value: string }) => (
  <TextField
    name="url"
    label={t.url}
    hint={t.urlHint}
    type="url"
    defaultValue={value}
    maxLength={2048}
    spellCheck={false}
    required
  />
);

interface TypesFieldProps {
  chosen: readonly string[] | null | undefined;
  scope: 'all' | 'some';
  onScope: (scope: 'all' | 'some') => void;
}

/** The event types to send. */
const TypesField = ({ chosen, scope, onScope }: TypesFieldProps) => (
  <>
    <Choice
      label={t.events}
      value={scope}
      onValue={onScope}
      options={[
        { value: 'all', label: t.allTypes },
        { value: 'some', label: t.someTypes },
      ]}
    />
    {scope === 'some' && <EventTypes chosen={chosen ?? ['message.*']} />}
  </>
);
