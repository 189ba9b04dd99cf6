import { api, type Records } from '../../api/index.ts';
import { uploadGroupPicture } from '../../api/raw.ts';
import { useActions, useRow } from '../../replica/hooks.ts';
import { common } from '../../strings/en/common.ts';
import { renaming as t } from '../../strings/en/menus.ts';
import { Avatar, Button, Dialog, Form, TextField, type Values } from '../../ui/index.ts';
import { PictureField } from '../settings/index.ts';

interface RenameDialogProps {
  channel: Records['Channel'];
  onClose: () => void;
}

/** Changes the name and picture of a group conversation, for all of its members. */
export default function RenameDialog({ channel: { id, serverId, name }, onClose }: RenameDialogProps) {
  const { load } = useActions();
  // Always the current picture: changes are saved immediately, and other members may change it, too.
  const image = useRow('channel', id)?.image ?? null;
  const keep = (change: () => Promise<Records['Channel']>) =>
    load(change, (channel) => ({ channel: [channel] }));
  const save = async (values: Values) => {
    await load(
      () => api(serverId).channelUpdate({ channelId: id, name: values.text('name').trim() }),
      (channel) => ({ channel: [channel] }),
    );
    onClose();
  };
  return (
    <Dialog title={t.title} size="s" onClose={onClose}>
      <PictureField
        label={t.picture}
        title={t.picture}
        hint={t.pictureHint}
        face={<Avatar id={id} name={name} src={image} size={64} />}
        choose={image ? t.change : t.choose}
        onFile={(file) => keep(() => uploadGroupPicture({ id, serverId }, file))}
      >
        {({ isBusy, run }) =>
          image && (
            <Button
              size="small"
              kind="quiet"
              disabled={isBusy}
              onClick={() =>
                run(() => keep(() => api(serverId).channelUpdate({ channelId: id, image: null })))
              }
            >
              {t.take}
            </Button>
          )
        }
      </PictureField>
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
