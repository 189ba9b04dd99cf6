import { joined } from '../../payloads/loose.ts';
import { type Loose, listOf, textOf } from '../reading/loose.ts';
import { convertedMarkdown } from '../reading/markdown.ts';

/** Resolves names in texts. */
export interface MattermostNames {
  person(username: string): string | undefined;
  channel(name: string): string | undefined;
}

const NAME = /(?<![\p{L}\p{N}@~])([@~])([\p{L}\p{N}._-]{1,100})/gu;

/**
 * Converts the text of a post to Markdown, which Mattermost also uses, except for names and emoji short
 * names.
 */
export function textOfPost(post: Loose, names: MattermostNames): string {
  const attachments = listOf(post.props?.attachments).slice(0, 20).map(ofAttachment);
  const text = joined([textOf(post.message), ...attachments], '\n\n');
  const converted = convertedMarkdown(text, (part) =>
    part.replace(NAME, (found, mark: string, name: string) => {
      for (const end of [name, name.replace(/[._-]+$/, '')]) {
        const reference = mark === '@' ? names.person(end.toLowerCase()) : names.channel(end);
        if (reference !== undefined) return reference + name.slice(end.length);
      }
      return found;
    }),
  );
  return post.type === 'me' && !/[\n*_]/.test(converted) ? `_${converted}_` : converted;
}

/** Converts an attachment from an integration. Its texts are Markdown. */
const ofAttachment = (attachment: Loose): string =>
  joined(
    [
      textOf(attachment?.pretext),
      textOf(attachment?.title),
      textOf(attachment?.text),
      ...listOf(attachment?.fields).map((field) => `${textOf(field?.title)}: ${textOf(field?.value)}`),
    ],
    '\n',
  ) || textOf(attachment?.fallback);
