import type { Principal } from '../../../access/principal.ts';
import type { RowOf } from '../../../db/schema.ts';
import { find, update } from '../../../db/statements.ts';
import { isVisible } from '../../../lib/names.ts';
import type { Services } from '../../../operations/services.ts';
import type { Work } from '../../../operations/work.ts';
import { touched } from '../../common.ts';
import { keywordVersion } from '../../keywords/keywords.ts';
import { announce, audienceOf } from '../announce.ts';
import { deleteMessage } from '../delete.ts';
import { type ChannelFacts, threadsNamedBy } from '../load.ts';
import { messageEvents, toMessage } from '../messageRecord.ts';
import { removeStream } from './streamRow.ts';

interface Ending {
  message: RowOf<'message'>;
  channel: ChannelFacts;
  /** The whole text. */
  content: string;
  stream: 'done' | 'stopped';
  /** The author; undefined if the stream was stopped. */
  principal: Principal | undefined;
}

/**
 * Ends a stream: stores the text in the message and sends notifications, as if the message were sent now.
 * Deletes the message if it has neither visible text nor files or blocks. Returns the message.
 */
export async function finish(
  work: Work,
  services: Pick<Services, 'db'>,
  { message, channel, content, stream, principal }: Ending,
): Promise<ReturnType<typeof toMessage>> {
  const { db, emit, now } = work;
  const { id, replyToId, attachments, blocks } = message;
  const hasMore = (attachments ?? []).length > 0 || (blocks ?? []).length > 0;
  if (!isVisible(content) && !hasMore) return deleteMessage(work, message);
  const set = { content, stream, updatedAt: touched(message, now) };
  const row = { ...message, ...set };
  const replyTo = replyToId === null ? undefined : await db.first(find('message', { id: replyToId }));
  const [audience, keywords, threads] = await Promise.all([
    audienceOf(work, row, channel, replyTo),
    keywordVersion(db),
    threadsNamedBy(db, id),
  ]);
  await removeStream(db, id);
  await db.run(update('message', id, set));
  const whole = toMessage(row);
  await emit(messageEvents.updated, { ...whole, finished: true }, { known: { threads } });
  await announce(work, services, row, channel, { ...audience, principal, keywords });
  return whole;
}
