import { useAsked } from '../../../api/asked.ts';
import { api } from '../../../api/index.ts';
import { common } from '../../../strings/en/common.ts';
import { holds as t } from '../../../strings/en/holds.ts';
import { platform } from '../../../strings/en/platform.ts';
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
import { userIdOf } from './find.ts';

interface NewHoldProps {
  onMade: () => void;
  onClose: () => void;
}

/** Creates a legal hold. */
export function NewHold({ onMade, onClose }: NewHoldProps) {
  const servers = useAsked('servers', () => api('none').platformServers({ limit: 100 }));
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
      <ErrorText error={servers.error} onAgain={servers.again} />
      <Form submit={servers.data && t.create} onSubmit={make} onCancel={onClose}>
        <Select
          name="serverId"
          label={platform.servers.server}
          options={(servers.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        />
        <TextArea name="reason" label={t.reason} hint={t.reasonHint} maxLength={1000} rows={2} required />
        <TextField
          name="username"
          label={common.username}
          hint={t.userHint}
          maxLength={33}
          spellCheck={false}
          isOptional
        />
        <TextField
          name="channelId"
          label={t.channel}
          hint={t.channelHint}
          spellCheck={false}
          dir="ltr"
          isOptional
        />
        <TextField name="until" label={t.untilLabel} hint={t.untilHint} type="datetime-local" isOptional />
      </Form>
    </Dialog>
  );
}
