import type { Records } from '../../api/records.ts';
import { openDialog } from '../../ui/index.ts';
import { late } from '../../ui/late.tsx';

const NewMessage = late(() => import('./NewMessage.tsx'), { hasField: true });

const RenameDialog = late(() => import('./RenameDialog.tsx'), { hasField: true });

/** Opens the dialog that names a group conversation. */
export const renameGroup = (channel: Records['Channel']): void =>
  openDialog((close) => <RenameDialog channel={channel} onClose={close} />);

/** Opens the dialog that adds people to a direct message by opening a new one. */
export const addPeople = (channel: Records['Channel']): void =>
  openDialog((close) => <NewMessage serverId={channel.serverId} channel={channel} onClose={close} />);

/** Opens the dialog that starts a direct message in a server, or in one of several servers. */
export const newMessage = (serverId?: string): void =>
  openDialog((close) => <NewMessage serverId={serverId} onClose={close} />);
