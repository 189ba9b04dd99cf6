import { api, type Records } from '../../api/index.ts';
import { useActions } from '../../replica/hooks.ts';
import { common } from '../../strings/en/common.ts';
import { renaming as t } from '../../strings/en/menus.ts';
import { Dialog, Form, TextField, type Values } from '../../ui/index.ts';

interface RenameDialogProps {
  channel: Records['Channel'];
  onClose: () => void;
}

/** Names a group conversation, for all of its members. */
export default function RenameDialog({ channel: { id, serverId, name }, onClose }: RenameDialogProps) {
  const { load } = useActions();
  const save = async (values: Values) => {
    await load(
      () => api(serverId).channelUpdate({ channelId: id, name: values.text('name').trim() }),
      (channel) => ({ channel: [channel] }),
    );
    onClose();
  };
  return (
    <Dialog title={t.title} size="s" onClose={onClose}>
      <Form onSubmit={save} onCancel={onClose}>
        <TextField
          name="name"
          label={common.name}
          hint={t.hint}
          defaultValue={name}
          maxLength={100}
          required
          autoFocus
        />
      </Form>
    </Dialog>
  );
}
