import { api } from '../../api/index.ts';
import { navigate } from '../../routes.ts';
import { common } from '../../strings/en/common.ts';
import { server as t } from '../../strings/en/frame.ts';
import { Dialog, Form, TextField, type Values } from '../../ui/index.ts';
import { useAccount, useEntrance } from '../session/index.ts';

/** Creates a server with a first channel, and opens the channel. */
export default function CreateServer({ onClose }: { onClose: () => void }) {
  const make = async (values: Values) => {
    const { id } = await api('none').serverInsert({ name: values.text('name').trim() });
    // A server without channels is useless. If this fails, the server's page offers to create a channel.
    const channel = await api(id)
      .channelInsert({ name: t.firstChannel })
      .catch(() => undefined);
    onClose();
    navigate({ page: 'server', serverId: id, channelId: channel?.id });
  };
  const account = useAccount();
  const isAdmin = account.state === 'in' && account.me.platformAdmin;
  if (useEntrance().data?.serverCreators === 'admins' && !isAdmin)
    return (
      <Dialog title={common.createServer} onClose={onClose} size="s">
        <p>{t.adminsCreate}</p>
      </Dialog>
    );
  return (
    <Dialog title={common.createServer} onClose={onClose}>
      <Form onSubmit={make} submit={t.make} onCancel={onClose}>
        <p>{t.createMore}</p>
        <TextField label={t.name} name="name" required maxLength={100} autoFocus />
      </Form>
    </Dialog>
  );
}
