import { openDialog } from '../../ui/index.ts';
import { late } from '../../ui/late.tsx';

const NewMessage = late(() => import('./NewMessage.tsx'), { hasField: true });

/** Opens the dialog that starts a direct message in a server, or in one of several servers. */
export const newMessage = (serverId?: string): void =>
  openDialog((close) => <NewMessage serverId={serverId} onClose={close} />);
