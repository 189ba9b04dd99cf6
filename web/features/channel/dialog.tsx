import { navigate } from '../../routes.ts';
import { openDialog } from '../../ui/index.ts';
import { late } from '../../ui/late.tsx';

/** Creates or edits a channel. Loaded on first use. */
export const ChannelDialog = late(() => import('./ChannelDialog.tsx'), { hasField: true });

/** Opens the dialog for a new channel, then navigates to it. */
export const createChannel = (serverId: string, categoryId?: string): void =>
  openDialog((close) => (
    <ChannelDialog
      {...{ serverId, categoryId }}
      onDone={({ id: channelId }) => navigate({ page: 'server', serverId, channelId })}
      onClose={close}
    />
  ));

const BrowseChannels = late(() => import('./BrowseChannels.tsx'), { hasField: true });

/** Opens the list of a server's channels, where the user can join or leave them. */
export const browseChannels = (serverId: string): void =>
  openDialog((close) => <BrowseChannels serverId={serverId} onClose={close} />);
