import type { RowOf } from '../db/schema.ts';
import { find, q } from '../db/statements.ts';
import { changeAs } from '../resources/change.ts';
import { eraseReport } from '../resources/report.ts';
import type { ErasureData } from './erasureData.ts';

/** Reports per read. */
const PAGE_ROWS = 100;

/** Erases reports of an erased user's messages, and the reasons in the user's own reports. */
export async function eraseReports(data: ErasureData, userId: string): Promise<void> {
  const rows = q.selectFrom('report').select(['id', 'serverId']).limit(PAGE_ROWS);
  const of = [
    rows.where('authorId', '=', userId),
    rows.where('creatorId', '=', userId).where('reason', '!=', ''),
  ];
  for (const some of of) {
    for (let page: Pick<RowOf<'report'>, 'id' | 'serverId'>[]; ; ) {
      page = await data.db.read.all(some);
      for (const { id, serverId } of page) {
        const erase = async (work: Parameters<typeof eraseReport>[0]) => {
          const found = await work.db.first(find('report', { id }));
          if (found) await eraseReport(work, found, userId);
        };
        await changeAs(data.actor, data, erase, serverId);
      }
      if (page.length < PAGE_ROWS) break;
    }
  }
}
