import { lazy, Suspense } from 'react';
import { navigate } from '../../routes.ts';
import type { ChannelDialogProps } from './ChannelDialog.tsx';

const Loaded = lazy(() => import('./ChannelDialog.tsx'));

/** Makes a channel, or changes one. */
export const ChannelDialog = (props: ChannelDialogProps) => (
  <Suspense fallback={null}>
    <Loaded {...props} />
  </Suspense>
);

/** Asks for what a new channel needs, makes it, and goes there. */
export const CreateChannel = ({ serverId, onClose }: { serverId: string; onClose: () => void }) => (
  <ChannelDialog
    serverId={serverId}
    onDone={({ id }) => navigate({ page: 'server', serverId, channelId: id })}
    onClose={onClose}
  />
);
