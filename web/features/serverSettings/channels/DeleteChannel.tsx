import { api, type Records } from '../../../api/index.ts';
import { channelSettings as t } from '../../../strings/en/channelSettings.ts';
import { Confirm, toast } from '../../../ui/index.ts';

/** Asks before a channel is deleted. */
export const DeleteChannel = ({ channel, onClose }: { channel: Records['Channel']; onClose: () => void }) => (
  <Confirm
    title={t.ask(channel.name)}
    text={t.askMore}
    action={t.delete}
    isDanger
    typed={channel.name}
    onConfirm={async () => {
      await api(channel.serverId).channelDelete({ channelId: channel.id });
      toast.show(t.deleted(channel.name));
    }}
    onClose={onClose}
  />
);
