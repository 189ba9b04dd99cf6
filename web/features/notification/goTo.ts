import { api, PalaverError, type Records } from '../../api/index.ts';
import type { Session } from '../../replica/index.ts';
import { navigate, type Panel } from '../../routes.ts';
import { notification as t } from '../../strings/en/frame.ts';
import { toast } from '../../ui/index.ts';

/**
 * Navigates to the message that a notification is about, in its thread if it is in one. `panel` stays open.
 */
export async function goTo(
  { replica, actions }: Session,
  { id, serverId, channelId }: { id: string; serverId: string; channelId: string },
  panel?: Panel,
): Promise<void> {
  const place = { page: 'server', serverId, channelId, panel } as const;
  try {
    const message =
      replica.row('message', id) ??
      (await actions.load(
        () => api(serverId).messageById({ messageId: id }),
        (found) => ({ message: [found as Records['ShownMessage']] }),
      ));
    if (message.threadId === null) return navigate({ ...place, messageId: id });
    navigate({ ...place, threadId: message.threadId, replyId: id });
  } catch (error) {
    const isGone = error instanceof PalaverError && error.status === 404;
    if (isGone) toast.show(t.goneMessage);
    else toast.error(error);
    navigate(place);
  }
}
