import { q } from '../../db/statements.ts';
import { historyActors, historyTypes, signInMethods } from '../../db/tables/history.ts';
import { count, nullable, oneOf, record, text } from '../../operations/fields.ts';
import { read } from '../../operations/read.ts';
import { ownTarget, recordOf } from '../../resources/common.ts';
import { listById } from '../../resources/lists.ts';
import { device } from '../fields.ts';

const historyEntry = record('HistoryEntry', {
  type: oneOf([...historyTypes]),
  actor: oneOf(
    [...historyActors],
    'You, a platform admin, the operator on the command line, or somebody unknown who failed to sign in as you',
  ),
  method: nullable(oneOf([...signInMethods], 'How you signed in; null unless the entry is a sign-in')),
  device,
  address: nullable(
    text({
      max: 100,
      description: 'The IPv4 address, or the /64 of an IPv6 address',
      examples: ['203.0.113.9'],
    }),
  ),
  count: count('The number of attempts. Failures are counted per hour; other entries have a count of 1', 1),
});
const toEntry = recordOf(historyEntry);

export const historyOperations = [
  read({
    operation: 'personHistory',
    people: true,
    path: '/history',
    tag: 'person',
    summary: 'List the history of your account',
    description:
      'Returns sign-ins, failed attempts, revoked sessions, and changes to passwords, passkeys, two-factor authentication and addresses, newest first. Entries are kept for 90 days.',
    visible: 'self',
    answer: historyEntry,
    list: 'many',
    target: ownTarget,
    async run({ db, principal }, input) {
      const rows = q.selectFrom('history').selectAll().where('userId', '=', principal.userId);
      return listById(db, rows, input, toEntry, 'desc');
    },
  }),
];
