import { openDialog } from '../../ui/index.ts';
import { late } from '../../ui/late.tsx';

export { inviteLink } from './link.ts';

/** Makes an invite, and shows its link. It is loaded when it is first opened. */
export const InviteDialog = late(() => import('./InviteDialog.tsx'));

/** Makes an invite, and shows its link, above whatever is there. */
export const createInvite = (serverId: string): void =>
  openDialog((close) => <InviteDialog serverId={serverId} onClose={close} />);
