import { navigate } from '../../routes.ts';
import { openDialog } from '../../ui/index.ts';
import { late } from '../../ui/late.tsx';

/** Makes a channel, or changes one. It is loaded when it is first opened. */
export const ChannelDialog = late(() => import('./ChannelDialog.tsx'), { hasField: true });

/** Asks what a new channel needs, makes it, and goes there. */
export const createChannel = (serverId: string): void =>
  openDialog((close) => (
    <ChannelDialog
      serverId={serverId}
      onDone={({ id: channelId }) => navigate({ page: 'server', serverId, channelId })}
      onClose={close}
    />
  ));
