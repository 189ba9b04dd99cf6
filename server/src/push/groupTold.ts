import { nameKey } from '../lib/names.ts';
import { mentionsIn } from '../lib/text/index.ts';
import { MAX_MENTIONS } from '../resources/message/groups.ts';

/**
 * Returns the group through which a message mentions a member, such as `@everyone`. Undefined if the message
 * mentions their own name, or none of their groups. `roles` are the member's roles.
 */
export function groupTold(
  content: string,
  username: string,
  roles: readonly { name: string; mentionable: boolean }[],
): string | undefined {
  if (!content.includes('@')) return undefined;
  const names = new Set(mentionsIn(content, MAX_MENTIONS).flatMap(({ name, longer }) => [name, longer]));
  if (names.has(username)) return undefined;
  const all = ['everyone', 'here'].find((name) => names.has(name));
  if (all) return `@${all}`;
  const keys = new Set([...names].map(nameKey));
  const role = roles.find(({ name, mentionable }) => mentionable && keys.has(nameKey(name)));
  return role && `@${role.name}`;
}
