import { useState } from 'react';
import { api, type Records } from '../../api/index.ts';
import { useRows } from '../../replica/hooks.ts';
import { channelSettings as t } from '../../strings/en/channelSettings.ts';
import { Checkbox, Dialog, Form, Switch, TextArea, TextField, type Values } from '../../ui/index.ts';
import './ChannelDialog.css';

export interface ChannelDialogProps {
  serverId: string;
  /** Undefined for a new one. */
  channel?: Records['Channel'];
  /** It is made, or changed; the dialog closes after that. */
  onDone: (channel: { id: string; name: string }) => void;
  onClose: () => void;
}

/** Makes a channel, or changes one. */
export default function ChannelDialog({ serverId, channel, onDone, onClose }: ChannelDialogProps) {
  const roles = useRows('role', 'serverId', serverId);
  const [isPrivate, setPrivate] = useState(channel?.private ?? false);

  async function save(values: Values): Promise<void> {
    const fields = {
      name: values.text('name').trim(),
      description: values.optional('description') ?? null,
      private: isPrivate,
      readonly: values.isOn('readonly'),
      // A public channel keeps its roles, for when it is private again.
      ...(isPrivate && { roleIds: values.all('roleIds') }),
    };
    const done = channel
      ? await api(serverId).channelUpdate({ channelId: channel.id, ...fields })
      : await api(serverId).channelInsert({ serverId, ...fields });
    onClose();
    onDone(done);
  }

  return (
    <Dialog title={channel ? t.editNamed(channel.name) : t.create} onClose={onClose} isFirm>
      <Form submit={channel ? t.save : t.make} onCancel={onClose} onSubmit={save}>
        <TextField
          name="name"
          label={t.name}
          icon="hash"
          defaultValue={channel?.name}
          maxLength={100}
          required
          autoFocus
        />
        <TextArea
          name="description"
          label={t.description}
          hint={t.descriptionHint}
          defaultValue={channel?.description ?? ''}
          most={4000}
          rows={2}
          isOptional
        />
        <Switch name="readonly" label={t.isReadonly} hint={t.readonlyHint} defaultOn={channel?.readonly} />
        <Switch
          name="private"
          label={t.isPrivate}
          hint={t.privateHint}
          isOn={isPrivate}
          onChange={setPrivate}
        />
        {isPrivate && (
          <fieldset className="channel-dialog-roles">
            <legend className="field-label">{t.roles}</legend>
            {roles.map((role) => (
              <Checkbox
                key={role.id}
                name="roleIds"
                value={role.id}
                label={role.name}
                defaultOn={channel?.roleIds.includes(role.id)}
              />
            ))}
          </fieldset>
        )}
      </Form>
    </Dialog>
  );
}
