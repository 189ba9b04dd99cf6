import { useState } from 'react';
import { api } from '../../api/index.ts';
import { useRows } from '../../replica/hooks.ts';
import { navigate } from '../../routes.ts';
import { channel as t } from '../../strings/en/channel.ts';
import { Checkbox, Dialog, Form, Switch, TextField, type Values } from '../../ui/index.ts';

/** Asks for what a new channel needs, makes it, and goes there. */
export function CreateChannel({ serverId, onClose }: { serverId: string; onClose: () => void }) {
  const roles = useRows('role', 'serverId', serverId);
  const [isPrivate, setPrivate] = useState(false);
  const make = async (values: Values) => {
    const { id } = await api(serverId).channelInsert({
      name: values.text('name').trim(),
      description: values.optional('description'),
      private: isPrivate,
      readonly: values.isOn('readonly'),
      roleIds: values.all('roleIds'),
    });
    onClose();
    navigate({ page: 'server', serverId, channelId: id });
  };
  return (
    <Dialog title={t.create} onClose={onClose}>
      <Form onSubmit={make} submit={t.make} onCancel={onClose}>
        <TextField label={t.name} name="name" hint={t.nameHint} required maxLength={100} autoFocus />
        <TextField label={t.description} name="description" isOptional maxLength={1000} />
        <Switch
          label={t.isPrivate}
          name="private"
          hint={t.privateHint}
          isOn={isPrivate}
          onChange={setPrivate}
        />
        {isPrivate && (
          <fieldset className="channel-roles">
            <legend>{t.roles}</legend>
            {roles.map(({ id, name }) => (
              <Checkbox key={id} label={name} name="roleIds" value={id} />
            ))}
          </fieldset>
        )}
        <Switch label={t.readonly} name="readonly" hint={t.readonlyHint} />
      </Form>
    </Dialog>
  );
}
