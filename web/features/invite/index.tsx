import { openDialog } from '../../ui/index.ts';
import { late } from '../../ui/late.tsx';

export { inviteLink } from './link.ts';

/** Creates an invite and shows its link. Loaded on first use. */
export const InviteDialog = late(() => import('./InviteDialog.tsx'));

/** Opens the dialog for a new invite. */
export const createInvite = (serverId: string): void =>
  openDialog((close) => <InviteDialog serverId={serverId} onClose={close} />);
