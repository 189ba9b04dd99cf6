import type { Records } from '../../../api/records.ts';
import type { Actions } from '../../../replica/actions.ts';
import { channelList as t } from '../../../strings/en/menus.ts';
import { toast } from '../../../ui/index.ts';

/** Leaves a channel, or joins it again. A toast offers to undo leaving. */
export async function leaveChannel(
  actions: Actions,
  { id: channelId, serverId, name }: Records['Channel'],
  hidden: boolean,
): Promise<void> {
  const join = () => void actions.setPlacement(serverId, { channelId, hidden: false }).catch(toast.error);
  try {
    await actions.setPlacement(serverId, { channelId, hidden });
    if (hidden) toast.show(t.left({ name }), { action: { label: t.join, onSelect: join } });
  } catch (error) {
    toast.error(error);
  }
}
