import { q } from '../../db/statements.ts';
import { read } from '../../operations/read.ts';
import { aheadInServer, serverTarget } from '../common.ts';
import { bytesIn, pageBySize, rowsById } from '../lists.ts';
import { app, toApp } from './appRecord.ts';

/** The approximate size of a record in bytes, without its short fields. */
const bytes = bytesIn(['meta', 'description', 'image']);

export const appsByServer = read({
  operation: 'appsByServer',
  path: '/servers/:serverId/apps',
  tag: 'app',
  summary: "List a server's apps",
  description: "Returns the server's own apps, whether or not they were submitted, oldest first.",
  visible: 'member',
  answer: app,
  list: 'many',
  target: serverTarget,
  ahead: aheadInServer,
  async run({ db }, input) {
    // Queries the sizes first, because a hundred large apps take 25 MB.
    const sizes = q
      .selectFrom('app')
      .select(['id', bytes.as('bytes')])
      .where('serverId', '=', input.params.serverId);
    const { records: listed, next } = pageBySize(await db.all(rowsById(sizes, input)), input.query.limit);
    if (listed.length === 0) return { records: [], next };
    // An app may have been deleted since its size was read.
    const ids = listed.map(({ id }) => id);
    const found = await db.all(q.selectFrom('app').selectAll().where('id', 'in', ids).orderBy('id'));
    return { records: found.map(toApp), next };
  },
});
