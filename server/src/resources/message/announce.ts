import type { Principal } from '../../access/principal.ts';
import type { RowOf } from '../../db/schema.ts';
import { mayHaveLinks } from '../../lib/text/links.ts';
import type { Services } from '../../operations/services.ts';
import type { Work } from '../../operations/work.ts';
import { KeywordIndexes } from '../keywords/keywordIndexes.ts';
import { notifyKeywords } from '../keywords/keywords.ts';
import { type Group, groupsIn, mentionable, notifyGroups } from './groups.ts';
import type { ChannelFacts } from './load.ts';
import { mayNotify, nobody, notify, type Recipients, recipientsOf } from './notify.ts';
import { wantPreviews } from './previews/want.ts';

type Announced = Pick<
  RowOf<'message'>,
  'id' | 'serverId' | 'channelId' | 'creatorId' | 'content' | 'threadId' | 'replyToId'
>;

/** The people and groups that a message notifies. */
interface MessageAudience {
  recipients: Recipients;
  groups: readonly Group[];
}

export const noAudience: MessageAudience = { recipients: nobody, groups: [] };

/** Returns false if the message notifies nobody, except for keywords, no matter who the members are. */
export const mayHaveAudience = (message: Announced, { memberIds }: ChannelFacts): boolean =>
  memberIds !== null || mayNotify(message);

/** Finds the audience of a message. Call this before any change, like `recipientsOf`. */
export async function audienceOf(
  work: Pick<Work, 'db' | 'now'>,
  message: Announced,
  channel: ChannelFacts,
  replyTo: RowOf<'message'> | undefined,
): Promise<MessageAudience> {
  const [recipients, groups] = await Promise.all([
    mayHaveAudience(message, channel) ? recipientsOf(work, message, channel, replyTo) : nobody,
    groupsIn(work.db, message.content, channel),
  ]);
  return { recipients, groups };
}

/**
 * Notifies a message's audience, and the people whose keywords occur in it. Without the author's `principal`,
 * it does not notify groups that only moderators may mention. `keywords` is the server's `keywordVersion`.
 */
export async function announce(
  work: Work,
  services: Pick<Services, 'db'>,
  message: Announced,
  channel: ChannelFacts,
  {
    recipients,
    groups,
    principal,
    keywords,
  }: MessageAudience & { principal: Principal | undefined; keywords: number },
): Promise<void> {
  if (recipients.size > 0) await notify(work, recipients, message);
  if (groups.length > 0) {
    const allowed = principal
      ? mentionable(principal, groups)
      : groups.filter(({ group }) => group === 'role');
    await notifyGroups(work, allowed, message);
  }
  if (mayHaveLinks(message.content)) await wantPreviews(work, message);
  // A direct message already notifies all members who have not muted it.
  if (!channel.memberIds && KeywordIndexes.of(services.db.read).mayNotify(message, keywords))
    await notifyKeywords(work, message);
}
