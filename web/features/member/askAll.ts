import type { Records } from '../../api/records.ts';
import type { Session } from '../../replica/index.ts';
import { composer as t } from '../../strings/en/conversation.ts';
import { confirm } from '../../ui/index.ts';
import { groupsIn, groupText, mayMentionAll } from './groups.ts';

/** In servers with more members than this, mentions of everyone are confirmed before they are sent. */
const MANY = 100;

/**
 * Sends a message with `send`, after a confirmation if the message would notify very many people. `action` is the
 * label of the button that confirms. Edits of sent messages need none, because they notify no groups.
 */
export function askAll(
  { replica }: Session,
  { serverId, kind }: Records['Channel'],
  content: string,
  send: () => Promise<void>,
  action = t.send,
): Promise<void> | undefined {
  const count = replica.row('server', serverId)?.memberCount ?? 0;
  if (kind === 'dm' || count <= MANY || !mayMentionAll(replica.states.get(serverId)?.standing)) return send();
  const groups = groupsIn([], content);
  const group = groups.find((one) => one === 'everyone') ?? groups[0];
  if (group === undefined) return send();
  const isHere = group === 'here';
  confirm.ask({
    title: isHere ? t.notifyHere : t.notifyEveryone({ count }),
    text: (isHere ? t.notifyHereMore : t.notifyMore)({ count, group: groupText(group) }),
    action,
    onConfirm: send,
  });
  return undefined;
}
