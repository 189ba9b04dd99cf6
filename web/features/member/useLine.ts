import { useSession } from '../../replica/hooks.ts';
import { message as t } from '../../strings/en/conversation.ts';
import { useIsBlocked } from '../block/index.ts';
import { lineIn } from './lineIn.ts';

/**
 * A message as one line, or a placeholder if the user blocks its author. Empty if there is no message, or if it has
 * nothing to show.
 */
export function useLine(
  serverId: string,
  said: (Parameters<typeof lineIn>[2] & { creatorId: string }) | undefined,
): string {
  const session = useSession();
  const isBlocked = useIsBlocked(said?.creatorId ?? '');
  if (!said) return '';
  return isBlocked ? t.blocked : lineIn(session, serverId, said);
}
