import type { SqliteConnection } from '../sqlite/connection.ts';
import { PAGES_PER_BLOCK } from './pages.ts';

/**
 * Removes the words of deleted and edited messages from the index of a copy, because a copy may be kept for
 * years. Deletes the blocks that may contain such words. Their other messages are indexed again once the copy
 * is in use.
 */
export function purgeIndex(copy: Pick<SqliteConnection, 'scalar' | 'exec'>): void {
  const block = '"searchBlock"."serverId" = R."serverId" and first <= R.id and last >= R.id'.replaceAll(
    'R.',
    'changed.',
  );
  copy.exec(`update "searchBlock" set stale = true where not stale and exists (
    select 1 from (select "serverId", "messageId" as id from "searchQueue" where edits > 0) as changed where ${block})`);
  if (copy.scalar('select count(*) from "searchBlock" where stale') === 0) return;
  // Without `secure_delete`, the words would remain in unused pages of the file.
  copy.exec(`
    pragma secure_delete = on;
    begin;
    insert into "searchQueue" select distinct message."serverId", message.id, 0 from "searchBlock"
      join message on message.id between first and last and message."serverId" = "searchBlock"."serverId"
      where stale and true on conflict do nothing;
    delete from "searchPage" where id / ${PAGES_PER_BLOCK} in (select id from "searchBlock" where stale);
    delete from "searchBlock" where stale;
    commit`);
}
