import type { Session } from '../../replica/index.ts';
import { groupsIn, groupText, mentions } from '../member/index.ts';

/**
 * The group by which a message mentions the user, such as `@everyone`. Undefined if there is none, or if the
 * message also mentions their username.
 */
export function groupTold({ replica }: Session, serverId: string, content: string): string | undefined {
  const me = replica.row('user', replica.userId ?? '');
  if (!me || !content.includes('@') || mentions(content, me.username)) return undefined;
  const roleIds = replica.states.get(serverId)?.standing.roleIds ?? [];
  const group = groupsIn(replica.rows('role', 'serverId', serverId), content).find(
    (one) => typeof one === 'string' || roleIds.includes(one.id),
  );
  return group && groupText(group);
}
