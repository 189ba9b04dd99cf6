import type { RowOf } from '../../db/schema.ts';
import { q } from '../../db/statements.ts';
import { read } from '../../operations/read.ts';
import { ownTarget, recordOf } from '../common.ts';
import { listById } from '../lists.ts';
import { auditEntry } from './platformRecords.ts';

const toRecord = recordOf(auditEntry);
const toEntry = ({ at, account, ...row }: RowOf<'audit'>) =>
  toRecord({
    ...row,
    // In earlier versions, only people and commands made entries.
    actor: row.actor ?? (row.actorId === null ? 'operator' : 'person'),
    account: account || null,
    createdAt: at,
    updatedAt: at,
  });

export const platformAuditOperations = [
  read({
    operation: 'platformAudit',
    people: true,
    path: '/platform/audit',
    tag: 'platform',
    summary: "List the platform's audit log",
    description:
      'Returns operator commands, actions of platform admins, decisions on approvals, and account activity such as sign-ins, newest first. Entries are kept for 400 days.',
    visible: 'platform',
    answer: auditEntry,
    list: 'many',
    target: ownTarget,
    async run({ db }, input) {
      const rows = q.selectFrom('audit').selectAll();
      return listById(db, rows, input, toEntry, 'desc');
    },
  }),
];
