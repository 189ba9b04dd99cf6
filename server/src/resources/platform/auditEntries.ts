import { q } from '../../db/statements.ts';
import { read } from '../../operations/read.ts';
import { pageById, recordOf } from '../common.ts';
import { auditEntry } from './platformRecords.ts';

const toEntry = recordOf(auditEntry);

export const platformAuditOperations = [
  read({
    operation: 'platformAudit',
    people: true,
    path: '/platform/audit',
    tag: 'platform',
    summary: "List the platform's audit log",
    description:
      "Changes made by the operator's commands and by platform admins, newest first. Kept for 400 days.",
    visible: 'platform',
    answer: auditEntry,
    list: 'many',
    target: ({ principal }) => ({ serverId: null, ownerId: principal.userId }),
    async run({ db }, { query: { limit }, after }) {
      let rows = q
        .selectFrom('audit')
        .selectAll()
        .orderBy('id', 'desc')
        .limit(limit + 1);
      if (after) rows = rows.where('id', '<', after[0] as string);
      return pageById(await db.all(rows), limit, ({ at, account, ...row }) =>
        toEntry({ ...row, account: account || null, createdAt: at, updatedAt: at }),
      );
    },
  }),
];
