import { api, type Records } from '../../../api/index.ts';
import { useMay } from '../../../may/index.ts';
import { channelSettings as t } from '../../../strings/en/serverSettings.ts';
import { toast, WithName } from '../../../ui/index.ts';
import { Ask } from '../../settings/server/index.ts';

/** Asks for confirmation before deleting a channel. */
export const DeleteChannel = ({ channel, onClose }: { channel: Records['Channel']; onClose: () => void }) => (
  <Ask
    permission={useMay(channel.serverId, 'channel delete')}
    title={<WithName words={t.ask} values={{ name: channel.name }} />}
    text={t.askMore}
    action={t.delete}
    isDanger
    typed={channel.name}
    onConfirm={async () => {
      await api(channel.serverId).channelDelete({ channelId: channel.id });
      toast.show(t.deleted({ name: channel.name }));
    }}
    onClose={onClose}
  />
);
