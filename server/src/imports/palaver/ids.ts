import type { Reader } from '../../db/contract.ts';
import { prepareKnown } from '../../db/known.ts';
import { q } from '../../db/statements.ts';
import { timeOfId } from '../../lib/deps.ts';
import { type Archive, type Ids, idsFor } from '../row.ts';
import { fieldsOf } from './fields.ts';
import { linesIn } from './lines.ts';
import { verified } from './verify.ts';

const channelsAmong = prepareKnown<{ id: string }, { serverId: string }>({ id: 'uuid' }, (known) =>
  q.selectFrom(known.as('known')).innerJoin('channel', 'channel.id', 'known.id').select('channel.serverId'),
);
const messagesAmong = prepareKnown<{ id: string }, { serverId: string }>({ id: 'uuid' }, (known) =>
  q.selectFrom(known.as('known')).innerJoin('message', 'message.id', 'known.id').select('message.serverId'),
);

/** Number of rows to look up at once, and maximum number of messages to compare. */
const ROWS = 500;

/**
 * Returns the ids for an export from Palaver: the original ids, or derived ones if another server of this
 * installation already has one of its channels or first messages. The ids of people stay the same here;
 * `People` derives new ones for people whose ids belong to other users.
 */
export async function idsOfExport(db: Reader, archive: Archive, serverId: string): Promise<Ids> {
  await verified(archive);
  const derived = idsFor(serverId, 'palaver');
  const isElsewhere = async (path: string, among: typeof channelsAmong, most: number) => {
    let ids: { id: string }[] = [];
    const isAny = async () => {
      const found = await db.all(among(db.dialect, ids));
      ids = [];
      return found.some((one) => one.serverId !== serverId);
    };
    for await (const { row, number } of linesIn(archive, path)) {
      ids.push({ id: fieldsOf(row, `${path}, line ${number}`).id('id') });
      if (ids.length === ROWS && (await isAny())) return true;
      if (number === most) break;
    }
    return isAny();
  };
  const areTaken =
    (await isElsewhere('channels.jsonl', channelsAmong, Number.POSITIVE_INFINITY)) ||
    (await isElsewhere('conversations.jsonl', channelsAmong, Number.POSITIVE_INFINITY)) ||
    (await isElsewhere('messages.jsonl', messagesAmong, ROWS));
  return (noun, id, time) => (areTaken && noun !== 'person' ? derived(noun, id, time) : id);
}

/**
 * Whether an earlier import added the export's first channels to a server, or the export is from that server.
 */
export async function isRepeated(
  db: Reader,
  archive: Archive,
  { serverId, ids }: { serverId: string; ids: Ids },
): Promise<boolean> {
  const own: { id: string }[] = [];
  for await (const { row, number } of linesIn(archive, 'channels.jsonl')) {
    const id = fieldsOf(row, `channels.jsonl, line ${number}`).id('id');
    own.push({ id: ids('channel', id, timeOfId(id)) });
    if (own.length === ROWS) break;
  }
  if (own.length === 0) return false;
  return (await db.all(channelsAmong(db.dialect, own))).some((one) => one.serverId === serverId);
}
