import type { Reader } from '../../db/contract.ts';
import { q } from '../../db/statements.ts';
import type { Work } from '../../operations/work.ts';
import { load } from '../../resources/common.ts';
import { addServer } from '../../resources/server/index.ts';
import { toServer } from '../../resources/server/serverRecord.ts';
import { nameFrom } from './name.ts';

export async function createServer(work: Work, given: { name: string; owner: string }) {
  const name = nameFrom(given.name);
  return addServer(work, { name, creator: await load(work.db, 'user', given.owner) });
}

export const listServers = async (db: Reader) =>
  (await db.all(q.selectFrom('server').selectAll().where('deletedAt', 'is', null).orderBy('id'))).map(
    toServer,
  );
