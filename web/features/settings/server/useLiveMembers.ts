import type { Records } from '../../../api/records.ts';
import { useRows } from '../../../replica/hooks.ts';
import type { Pages } from './usePages.ts';

type Member = Records['ListedServerMember'];

/**
 * The current state of the loaded members. In a list of all members, newly joined members are added once
 * the last page is loaded, because lists are sorted from the oldest member to the newest.
 */
export function useLiveMembers(
  serverId: string,
  { pages, hasMore }: Pages<readonly Member[]>,
  isOfAll: boolean,
): Member[] {
  const rows = useRows('serverMember', 'serverId', serverId);
  const read = new Set(pages.flat().map(({ id }) => id));
  const last = [...read].at(-1) ?? '';
  const isShown = ({ id }: Member) => read.has(id) || (isOfAll && pages.length > 0 && !hasMore && id > last);
  return rows.filter(isShown).sort((one, other) => (one.id < other.id ? -1 : 1));
}
