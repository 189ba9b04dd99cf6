import type { Reader } from '../../db/contract.ts';
import { prepareKnown } from '../../db/known.ts';
import { find, q } from '../../db/statements.ts';
import { isInSight } from '../../db/sweep.ts';
import { lineOfReaction } from './lines.ts';
import { type PersonPlace, placeOf } from './personRows.ts';
import type { Sight } from './sight.ts';

const messagesAmong = prepareKnown<{ id: string }, { id: string; channelId: string; creatorId: string }>(
  { id: 'uuid' },
  (known) =>
    q
      .selectFrom('message')
      .innerJoin(known.as('known'), 'message.id', 'known.id')
      .select(['message.id', 'message.channelId', 'message.creatorId'])
      .where(isInSight),
);

type Row = Readonly<Record<string, unknown>>;

/**
 * Returns lines for a person's reactions to messages that are not in the export. The lines of messages in the
 * export already include their reactions.
 */
export async function reactionsToOthers(
  { db, userId, sight }: { db: Reader; userId: string; sight: Sight },
  until: string,
  rows: readonly Row[],
): Promise<object[]> {
  const ids = [...new Set(rows.map(({ messageId }) => messageId as string))].map((id) => ({ id }));
  const messages = ids.length === 0 ? [] : await db.all(messagesAmong(db.dialect, ids));
  const places = new Map<string, PersonPlace | undefined>();
  for (const { channelId } of messages) {
    if (places.has(channelId)) continue;
    const channel = await db.first(find('channel', { id: channelId }));
    places.set(channelId, channel && (await placeOf(channel, { userId, sight })));
  }
  const others = new Set<unknown>();
  for (const { id, channelId, creatorId } of messages) {
    const place = places.get(channelId);
    const isExported = place && id <= until && (place.isWhole || creatorId === userId);
    if (!isExported) others.add(id);
  }
  return rows.filter(({ messageId }) => others.has(messageId)).map((row) => lineOfReaction(row as never));
}
