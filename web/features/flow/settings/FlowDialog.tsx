import { useState } from 'react';
import { api, type Records } from '../../../api/index.ts';
import type { Permission } from '../../../may/index.ts';
import { common } from '../../../strings/en/common.ts';
import { flowSettings as t } from '../../../strings/en/programs.ts';
import { changesTo } from '../../../ui/changes.ts';
import { Dialog, Form, Switch, TextArea, TextField, toast, type Values } from '../../../ui/index.ts';
import { Closed } from '../../settings/index.ts';
import { JsonField, jsonIn } from '../../settings/server/index.ts';

interface FlowDialogProps {
  serverId: string;
  /** Undefined for a new flow. */
  flow?: Records['Flow'];
  permission: Permission;
  onClose: () => void;
}

const example = {
  trigger: {
    on: 'event',
    type: 'message.created',
    where: { path: 'event.data.content', startsWith: 'ping' },
  },
  steps: [{ name: 'answer', do: 'message.send', channelId: '{{event.data.channelId}}', content: 'pong' }],
};

/** Shows, edits or creates a flow. Its trigger and steps are JSON in the API's format. */
export function FlowDialog({ serverId, flow, permission, onClose }: FlowDialogProps) {
  const [before] = useState(flow);
  // Read-only if the user lacks the permission when it opens. If they lose it later, the typed text stays.
  const [isClosed] = useState(!permission.allowed);
  async function save(values: Values): Promise<void> {
    const fields = {
      name: values.text('name'),
      description: values.optional('description') ?? null,
      enabled: values.isOn('enabled'),
      trigger: jsonIn(values, 'trigger'),
      steps: jsonIn(values, 'steps') as unknown[],
    };
    const changes = changesTo(before ?? {}, fields);
    if (flow && changes) await api(serverId).flowUpdate({ flowId: flow.id, ...changes });
    else if (!flow) await api(serverId).flowInsert({ serverId, ...fields });
    toast.show(t.saved, { kind: 'good' });
    onClose();
  }

  return (
    <Dialog title={flow?.name ?? t.create} size="l" onClose={onClose} isFirm={!isClosed}>
      <Form submit={permission.allowed && !isClosed && common.save} onCancel={onClose} onSubmit={save}>
        {!isClosed && <Closed permission={permission} />}
        <TextField
          name="name"
          label={common.name}
          defaultValue={flow?.name}
          maxLength={100}
          required
          disabled={isClosed}
        />
        <TextArea
          name="description"
          label={common.description}
          defaultValue={flow?.description ?? ''}
          most={4000}
          rows={2}
          isOptional
          disabled={isClosed}
        />
        <JsonField
          name="trigger"
          label={t.trigger}
          hint={t.triggerHint}
          value={flow ? flow.trigger : example.trigger}
          isDisabled={isClosed}
        />
        <JsonField
          name="steps"
          label={t.stepsLabel}
          hint={t.stepsHint}
          value={flow ? flow.steps : example.steps}
          isList
          isDisabled={isClosed}
        />
        <Switch name="enabled" label={t.enabled} defaultOn={flow?.enabled ?? false} isDisabled={isClosed} />
      </Form>
    </Dialog>
  );
}
