import { quote } from '../../payloads/commonmark.ts';
import { convertedWith, joined, type References } from '../../payloads/loose.ts';
import { mrkdwn } from '../../payloads/mrkdwn.ts';
import { customNameOf, emojiNamed } from '../reading/emoji.ts';
import { type Loose, listOf, textOf } from '../reading/loose.ts';
import { outsideCode } from '../reading/outsideCode.ts';

const MAX_CHARACTERS = 40_000;
const NAME = /(?<![\p{L}\p{N}@#])([@#])([\p{L}\p{N}._-]{1,100})/gu;
/** Matches the link that precedes the text of a message with a quote. */
const QUOTED = /^(?:\[ ?\]\([^()\s]{1,2000}\)\s*)+/;

const references: References = {
  person: () => undefined,
  channel: () => undefined,
  group: () => undefined,
  link: () => undefined,
  emoji: (name) => emojiNamed(name) ?? (/[^\d]/.test(name) ? `:${customNameOf(name)}:` : undefined),
};

/** Converts the text of a message to Markdown. Like Slack, Rocket.Chat uses `*bold*`. */
export function textOfMessage(
  message: Loose,
  named: (mark: string, name: string) => string | undefined,
): string {
  const text = outsideCode(textOf(message.msg).replace(QUOTED, ''), (part) =>
    part.replace(NAME, (found, mark: string, name: string) => {
      for (const end of [name, name.replace(/[._-]+$/, '')]) {
        const reference = named(mark, end);
        if (reference !== undefined) return reference + name.slice(end.length);
      }
      return found;
    }),
  );
  const attachments = listOf(message.attachments).slice(0, 20);
  const quotes = attachments
    .filter((each) => textOf(each?.message_link) !== '')
    .map(({ text: quoted }) => textOf(quoted));
  const others = attachments
    .filter((each) => textOf(each?.message_link) === '')
    .flatMap((each) => [
      each?.title_link ? '' : textOf(each?.title),
      textOf(each?.description),
      textOf(each?.text),
    ]);
  return convertedWith(references, MAX_CHARACTERS, () =>
    joined([...quotes.map((each) => quote(mrkdwn(each))), mrkdwn(text), ...others.map(mrkdwn)], '\n\n'),
  );
}
