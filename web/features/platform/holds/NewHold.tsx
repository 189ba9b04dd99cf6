import { useState } from 'react';
import { useAsked } from '../../../api/asked.ts';
import { api, type Records } from '../../../api/index.ts';
import { platform } from '../../../strings/en/platform.ts';
import { holds as t } from '../../../strings/en/platformSettings.ts';
import {
  Dialog,
  ErrorText,
  Form,
  Select,
  TextArea,
  TextField,
  toast,
  type Values,
} from '../../../ui/index.ts';
import { Refusal, withProof } from '../../session/index.ts';
import { everyServer, userIdOf } from './find.ts';
import { UserField } from './UserField.tsx';

interface NewHoldProps {
  onMade: () => void;
  onClose: () => void;
}

async function channelsOf(id: string | undefined): Promise<Records['PlatformChannel'][]> {
  const all: Records['PlatformChannel'][] = [];
  if (id === undefined) return all;
  for await (const channel of api('none').platformChannels({ id, limit: 100 })) all.push(channel);
  return all.sort((one, other) => one.name.localeCompare(other.name));
}

/** Creates a legal hold. */
export function NewHold({ onMade, onClose }: NewHoldProps) {
  const servers = useAsked('servers', everyServer);
  const [chosen, setChosen] = useState<string>();
  const serverId = chosen ?? servers.data?.[0]?.id;
  const channels = useAsked(serverId ?? '', () => channelsOf(serverId));
  const make = async (values: Values) => {
    const username = values.optional('username');
    const userId = username === undefined ? null : await userIdOf(username);
    if (userId === undefined) throw new Refusal(t.noUser);
    const until = values.optional('until');
    const hold = {
      serverId: values.text('serverId'),
      userId,
      channelId: values.optional('channelId') ?? null,
      reason: values.text('reason'),
      until: until === undefined ? null : new Date(until).getTime(),
    };
    await withProof(() => api('none').platformHoldInsert(hold));
    onMade();
    onClose();
    toast.show(t.created, { kind: 'good' });
  };
  return (
    <Dialog title={t.create} size="s" onClose={onClose} isFirm>
      <ErrorText
        error={servers.error ?? channels.error}
        onAgain={servers.error ? servers.again : channels.again}
      />
      <Form submit={servers.data && t.create} onSubmit={make} onCancel={onClose}>
        <Select
          name="serverId"
          label={platform.servers.server}
          onValue={setChosen}
          options={(servers.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        />
        <TextArea name="reason" label={t.reason} hint={t.reasonHint} maxLength={1000} rows={2} required />
        <Select
          key={serverId}
          name="channelId"
          label={t.channel}
          hint={t.channelHint}
          defaultValue=""
          options={[
            { value: '', label: t.allChannels },
            ...(channels.data ?? []).map(({ id, name }) => ({ value: id, label: `#${name}` })),
          ]}
        />
        <UserField name="username" hint={t.userHint} />
        <TextField name="until" label={t.untilLabel} hint={t.untilHint} type="datetime-local" isOptional />
      </Form>
    </Dialog>
  );
}
