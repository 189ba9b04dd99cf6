import type { RowOf } from '../db/schema.ts';
import { blockText } from '../lib/text/blockText.ts';
import { lineText, shownName } from '../lib/text/index.ts';
import { type MailLanguage, mailWords } from '../mail/words.ts';
import type { Missed } from './missed.ts';
import { pushWords, titleOf } from './words.ts';

/** Maximum characters of a notification's text, so that the payload fits into one push in any script. */
const BODY_CHARACTERS = 200;

/** The content of a push, which the service worker reads (`web/serviceWorker.ts`). */
type Payload =
  | {
      type: 'message';
      title: string;
      body: string;
      id: string;
      serverId: string;
      channelId: string;
      threadId: string | null;
      /** The path to open in the client, relative to the address of the server. */
      path: string;
    }
  /** A push that closes the notification for a channel whose messages up to `id` were read elsewhere. */
  | { type: 'read'; channelId: string; id: string };

const languageOf = (tag: string): MailLanguage =>
  (Object.hasOwn(mailWords, tag) ? tag : 'en') as MailLanguage;

const pathOf = ({ type, serverId, channelId, threadId, messageId }: Missed): string => {
  if (type === 'report') return `/s/${serverId}/settings/reports`;
  if (type === 'flow') return `/s/${serverId}/settings/flows`;
  if (type === 'schedule') return '/later/scheduled';
  return threadId === null
    ? `/s/${serverId}/c/${channelId}/m/${messageId}`
    : `/s/${serverId}/c/${channelId}?thread=${threadId}&reply=${messageId}`;
};

interface MessageOptions {
  /** The content that the person allows in pushes. */
  content: RowOf<'person'>['pushContent'];
  language: string;
  /** The display names of the members that the message mentions, by username. */
  names: ReadonlyMap<string, string>;
}

/** Returns the notification for a message. */
export function messagePayload(missed: Missed, { content, language, names }: MessageOptions): Payload {
  const { channel, server, isDirect, serverId, channelId, threadId, messageId: id } = missed;
  const words = pushWords[languageOf(language)];
  const title = content === 'nothing' ? words.nothing : titleOf(words, missed);
  const text =
    missed.content === null
      ? ''
      : lineText(missed.content, (name) => shownName(name, (username) => names.get(username))) ||
        blockText(missed.blocks as never) ||
        words.files;
  const bodies = { full: shortened(text), sender: isDirect ? channel : server, nothing: '' };
  const path = pathOf(missed);
  return { type: 'message', title, body: bodies[content], id, serverId, channelId, threadId, path };
}

export const readPayload = (channelId: string, id: string): Payload => ({ type: 'read', channelId, id });

function shortened(text: string): string {
  const characters = [...text.slice(0, 2 * BODY_CHARACTERS + 2)];
  return characters.length <= BODY_CHARACTERS
    ? text
    : `${characters.slice(0, BODY_CHARACTERS - 1).join('')}…`;
}
