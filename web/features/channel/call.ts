import { api } from '../../api/index.ts';
import type { Records } from '../../api/records.ts';
import { toast } from '../../ui/index.ts';
import { accountNow } from '../session/index.ts';

/** Whether the operator has set up calls. */
export function hasCalls(): boolean {
  const account = accountNow();
  return account.state === 'in' && account.me.hasCalls;
}

/**
 * Opens a channel's call in a new tab. The tab opens before the response, because browsers would block it
 * later.
 */
export function startCall({ id, serverId }: Records['Channel']): void {
  const tab = window.open('', '_blank');
  if (tab) tab.opener = null;
  api(serverId)
    .channelCall({ id })
    .then(
      ({ url }) => {
        if (tab) tab.location.href = url;
        else location.assign(url);
      },
      (error) => {
        tab?.close();
        toast.error(error);
      },
    );
}
