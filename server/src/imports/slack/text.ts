import { convertedWith, joined, type References } from '../../payloads/loose.ts';
import { mrkdwn } from '../../payloads/mrkdwn.ts';
import { ofSlack } from '../../payloads/slack.ts';
import { customNameOf, emojiNamed } from '../reading/emoji.ts';
import { type Loose, listOf, sourceIdOf, textOf } from '../reading/loose.ts';
import { channelMentionOf, type Ids, mentionOf, messageLinkOf } from '../row.ts';
import { messageIdOf } from './time.ts';

/** Maximum characters of a message to convert; Slack's messages have the same limit. */
const MAX_CHARACTERS = 40_000;

/** Matches a message's URL: `https://team.slack.com/archives/C01/p1736478514897649?thread_ts=…` */
const MESSAGE_LINK =
  /^https:\/\/[a-z\d-]+(?:\.enterprise)?\.slack\.com\/archives\/([A-Z\d]+)\/p(\d{10})(\d{6})(?:[?#].*)?$/;

/** Resolves the ids in the texts of this archive. */
export const referencesIn = (
  people: { idOf(id: string): string | undefined },
  channelIds: ReadonlyMap<string, { rowId: string; isConversation: boolean }>,
  ids: Ids,
): References => ({
  person(id) {
    const found = people.idOf(id);
    return found && mentionOf(found);
  },
  channel(id) {
    const found = channelIds.get(id);
    return found && !found.isConversation ? channelMentionOf(found.rowId) : undefined;
  },
  group: () => undefined,
  link(url) {
    const [, channel = '', seconds, micros] = MESSAGE_LINK.exec(url) ?? [];
    const found = channelIds.get(channel);
    return found && messageLinkOf(found.rowId, messageIdOf(ids, channel, `${seconds}.${micros}`));
  },
  emoji(name) {
    return emojiNamed(name) ?? `:${customNameOf(name)}:`;
  },
});

/**
 * Converts the text of a message to Markdown. `isWhole` is false if its blocks or attachments are too large
 * to convert.
 */
export function textOfMessage(message: Loose, references: References): { text: string; isWhole: boolean } {
  return convertedWith(references, MAX_CHARACTERS, () => {
    const text = mrkdwn(cleaned(message.text));
    const isBots = sourceIdOf(message.bot_id) !== '';
    try {
      const blocks = text === '' || isBots ? ofSlack({ blocks: cleaned(message.blocks) }) : '';
      // Other attachments are link previews.
      const attachments = listOf(message.attachments).filter(
        (attachment) => !attachment?.from_url && !attachment?.original_url && !attachment?.is_msg_unfurl,
      );
      const whole = joined([blocks || text, ofSlack({ attachments: cleaned(attachments) })], '\n\n');
      return { text: styled(whole, message), isWhole: true };
    } catch {
      return { text: styled(text, message), isWhole: false };
    }
  });
}

/** Formats `/me` messages in italics. */
const styled = (text: string, message: Loose): string =>
  message.subtype === 'me_message' && !/[\n*_]/.test(text) && text.trim() !== '' ? `_${text.trim()}_` : text;

/** Removes the reference characters from all texts in a value. */
const cleaned = (value: Loose): Loose =>
  typeof value === 'string'
    ? textOf(value)
    : value === undefined || value === null
      ? value
      : JSON.parse(JSON.stringify(value), (_, inner) => (typeof inner === 'string' ? textOf(inner) : inner));
