import type { RowOf } from '../db/schema.ts';
import { find, q, remove } from '../db/statements.ts';
import { flagNames } from '../lib/flags.ts';
import { Type } from '../lib/schema.ts';
import { act } from '../operations/act.ts';
import { count, id, MAX_NAME_CHARACTERS, nullable, oneOf, record, text, time } from '../operations/fields.ts';
import { read } from '../operations/read.ts';
import { write } from '../operations/write.ts';
import { load, ownTarget, recordOf } from '../resources/common.ts';
import { listById } from '../resources/lists.ts';
import { isClientUrl, MAX_CLIENT_CHARACTERS } from './oauth/clientDocument.ts';
import { endGrant } from './oauth/grant.ts';

export const grant = record('Grant', {
  serverId: id(),
  client: text({
    max: MAX_CLIENT_CHARACTERS,
    description: "The app's `client_id`",
    examples: ['https://app.example.com/client.json'],
  }),
  name: text({
    max: MAX_NAME_CHARACTERS,
    description: 'The name of the app; not verified',
    examples: ['Harbour'],
  }),
  host: nullable(
    text({
      max: MAX_CLIENT_CHARACTERS,
      description: "The host of the app's metadata document",
      examples: ['app.example.com'],
    }),
  ),
  flags: Type.Array(oneOf(flagNames), {
    description: 'The flags that you granted. If you lose one, the app loses it, too',
    examples: [['canEditData']],
  }),
  lastUsedAt: time('When it was last used; updated at most once a minute'),
  expiresAt: time('90 days after you approved the app'),
});
const toRecord = recordOf(grant);
export const toGrant = (row: RowOf<'grant'>) =>
  toRecord({ ...row, host: isClientUrl(row.client) ? new URL(row.client).host : null });

export const grantOperations = [
  read({
    operation: 'grants',
    people: true,
    path: '/grants',
    tag: 'session',
    summary: 'List apps that may act on your behalf in a server',
    description: 'Returns the newest grants first.',
    visible: 'self',
    answer: grant,
    list: 'many',
    target: ownTarget,
    async run({ db, principal, now }, input) {
      const rows = q
        .selectFrom('grant')
        .selectAll()
        .where('userId', '=', principal.userId)
        .where('expiresAt', '>', now);
      return listById(db, rows, input, toGrant, 'desc');
    },
  }),

  act({
    operation: 'grantsDelete',
    people: true,
    path: '/grants',
    resource: 'session',
    verb: 'delete',
    summary: 'Revoke all apps that may act on your behalf in a server',
    description: 'Also revokes approved apps that have not fetched their tokens yet.',
    answer: Type.Object(
      { revoked: count('The number of revoked apps') },
      { $id: 'RevokedGrants', title: 'RevokedGrants' },
    ),
    async run(call) {
      const { userId } = call.principal;
      const revoked = await call.writeOnAccount(userId, async (work) => {
        const rows = await work.db.all(find('grant', { userId }));
        for (const row of rows) await endGrant(work, row, work.from?.address ?? null);
        await work.db.run(remove('approval', { userId }));
        return rows.length;
      });
      return { data: { revoked } };
    },
  }),

  write({
    operation: 'grantDelete',
    people: true,
    path: '/grants/:id',
    resource: 'session',
    verb: 'delete',
    summary: 'Revoke an app that may act on your behalf in a server',
    description: 'Its tokens stop working immediately, on all nodes.',
    answer: grant,
    async target({ db }, { params }) {
      const found = await load(db, 'grant', params.id);
      return { serverId: null, ownerId: found.userId, found };
    },
    async run(call, _input, { found }) {
      await endGrant(call, found, null);
      return toGrant(found);
    },
  }),
];
